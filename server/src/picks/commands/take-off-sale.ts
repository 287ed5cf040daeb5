import type { PickOrder } from '@cellarhand/contract/picks'
import { takeOfferingsDown } from '#inventory/public.ts'
import { lockOrder, writeChange, type MerchantStep } from '#orders/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { toPickOrder, withPiecesOf } from '../reads.ts'

/**
 * A clerk found none of a bottle at its shelf. The status plays no part: an accepted order takes no report of a line,
 * and the shelf of a cancelled one is as empty. A second press finds it off sale already, and changes nothing.
 */
export async function takeOffSale(
  statements: Statements,
  step: MerchantStep,
  lineId: string,
): Promise<PickOrder> {
  const { merchantId, orderId, actor } = step
  const locked = await lockOrder(statements, step)
  const before = await withPiecesOf(statements, merchantId, locked)
  const line = before.lines.find(({ item }) => item.id === lineId)
  if (line === undefined)
    return refuse('validation_failed', { errors: { line_id: 'The order does not have this line any more' } })
  const { offering } = line.item
  if (line.shelf === undefined || !offering) return refuse('offering_unlisted')
  // As a report of the line says it: without its id in the list, all offerings with the shop's own number.
  const offerings = [offering]
  const down = await takeOfferingsDown(statements, merchantId, { offerings, by: actor.name, orderId })
  const after = toPickOrder(await withPiecesOf(statements, merchantId, locked))
  if (down === 0) return after
  const text = await writeChange(statements, merchantId, {
    locked,
    // For the screens of the shop alone, as a pick: the marketplace reads it at the offering (decision 0079).
    change: { action: 'take_off_sale', actor, kind: 'order.picked', details: { bottle: line.item.name } },
  })
  const { version } = JSON.parse(text) as { version: number }
  return { ...after, version }
}
