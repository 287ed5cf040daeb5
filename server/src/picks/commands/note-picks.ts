import { isPickable } from '@cellarhand/contract/judge-pick'
import { tabOf } from '@cellarhand/contract/order-statuses'
import { lockOrder, writeChange, type Actor } from '#orders/public.ts'
import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { pickedBottles, toPickOrder, withPieces, type OpenOrder } from '../reads.ts'
import { notedPick } from '../upkeep.ts'

const batchSize = 200
const clock: Actor = { kind: 'system', id: null, name: 'Cellarhand' }

interface Key {
  readonly merchant_id: string
  readonly order_id: string
  readonly is_noted: boolean
}

/**
 * Writes who picked what of orders that no last bottle completed: one that left the shop with fewer, and one of which
 * all that a correction has left is picked.
 */
export async function notePicks(db: Database, isStopping: () => boolean = () => false): Promise<number> {
  let noted = 0
  let last: Pick<Key, 'merchant_id' | 'order_id'> | undefined = { merchant_id: '', order_id: '' }
  while (last !== undefined && !isStopping()) {
    const found: readonly Key[] = await db.systemQuery<Key>(
      `select merchant_id, order_id, bool_and(${notedPick}) as is_noted
       from (select distinct merchant_id, order_id from picks
         where (merchant_id, order_id) > ($1, $2) and ${isOpen('merchant_id')}
         order by merchant_id, order_id limit ${batchSize}) picked
       join picks using (merchant_id, order_id)
       group by merchant_id, order_id order by merchant_id, order_id`,
      [last.merchant_id, last.order_id],
    )
    for (const key of found) if (!key.is_noted && !isStopping() && (await note(db, key))) noted++
    last = found.length === batchSize ? found.at(-1) : undefined
  }
  return noted
}

function note(db: Database, { merchant_id: merchantId, order_id: orderId }: Key): Promise<boolean> {
  return db.write(merchantId, async (statements) => {
    const locked = await lockOrder(statements, { merchantId, orderId })
    const [read] = await withPieces(statements, merchantId, [locked])
    if (read === undefined || !isFinal(read)) return false
    await writeChange(statements, merchantId, {
      locked,
      change: { action: 'pick', actor: clock, kind: 'order.picked', details: pickedBottles(read) },
    })
    return true
  })
}

/** Of an order on hold, or with bottles left to pick, more may be picked. */
function isFinal(read: OpenOrder): boolean {
  const { status, delivery } = read.order
  if (isPickable(status)) return toPickOrder(read).picked_at !== null
  return tabOf(status, delivery.method) !== 'on_hold'
}
