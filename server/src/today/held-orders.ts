import type { SubstituteOffer } from '@cellarhand/contract/substitute-fields'
import { shiftNamesAtMost, type HeldOrder } from '@cellarhand/contract/today'
import type { Statements } from '#platform/db/database.ts'

interface HeldRow extends Omit<HeldOrder, 'received_at' | 'answer_until'> {
  readonly received_at: Date
  /** As JSON text. */
  readonly offers: string | null
}

/** The start of the tab's range of `orders_by_date`: the time does not grow with the orders on hold. */
const readHeld = `select order_id as id, submitted_at as received_at, delivery_method as method,
  concat_ws(' ', document::json -> 'recipient' ->> 'first_name', document::json -> 'recipient' ->> 'last_name') as recipient,
  document::json ->> 'status_comment' as reason, document::json -> 'substitutes' -> 'offers' as offers,
  taken::json ->> 'name' as taken_by
from orders where merchant_id = $1 and tab = 'on_hold'
order by submitted_at, order_id limit ${shiftNamesAtMost}`

/** The orders that have been on hold since the oldest days, with the words of the on-hold list. */
export async function heldOrders({ query }: Statements, merchantId: string): Promise<HeldOrder[]> {
  const rows = await query<HeldRow>(readHeld, [merchantId])
  return rows.map(({ received_at: receivedAt, offers, ...row }) => ({
    ...row,
    received_at: receivedAt.toISOString(),
    answer_until: lastAnswerUntil(offers === null ? [] : (JSON.parse(offers) as SubstituteOffer[])),
  }))
}

/** Of several questions the last one counts: the order waits for all answers. */
function lastAnswerUntil(offers: readonly SubstituteOffer[]): string | null {
  const open = offers.flatMap(({ state, until }) => (state === 'offered' ? [until] : []))
  return open.toSorted().at(-1) ?? null
}
