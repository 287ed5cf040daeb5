import { expect } from 'vitest'
import type { TurnableDesk } from './desk.ts'
import { eventually } from './eventually.ts'

/**
 * The reply to a purchase of one label at the sandbox's street of lost answers. The label is found only after that
 * reply, however slow the machine is.
 */
export async function replyOfLostPurchase<T>(
  desk: TurnableDesk,
  orderId: string,
  purchase: Promise<T>,
): Promise<T> {
  const moveBought = (by: string) =>
    desk.owner.query(
      `update sandbox_parcels set bought_at = now() + $2::interval where state = 'bought' and label->>'orderNumber' = $1`,
      [orderId, by],
    )
  await eventually(async () => expect((await moveBought('1 hour')).rowCount).toBe(1))
  const reply = await desk.passing(purchase)
  await moveBought('-1 hour')
  return reply
}
