import { gtinsOfScan } from '@cellarhand/contract/gtin'
import { isPickable, judgePick, type PickResult } from '@cellarhand/contract/judge-pick'
import type { PickAnswer } from '@cellarhand/contract/picks'
import { findByGtin } from '#inventory/public.ts'
import { lockOrder, writeChange, type MerchantStep } from '#orders/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { pickedBottles, productKeyOf, toPickOrder, withPiecesOf, type OpenOrder } from '../reads.ts'

interface Wish {
  readonly lineId: string
  /** As scanned; null for a bottle that the clerk confirms by hand. */
  readonly code: string | null
}

/**
 * Counts one bottle, if it is the right one. The order's lock puts two clerks in a row. The last bottle writes the
 * history, for the screens of the shop alone.
 */
export async function pickBottle(
  statements: Statements,
  step: MerchantStep,
  wish: Wish,
): Promise<PickAnswer> {
  const locked = await lockOrder(statements, step)
  const before = await withPiecesOf(statements, step.merchantId, locked)
  const result = judge(before, wish)
  if (result !== 'right') {
    const scanned = result === 'wrong' ? await findScanned(statements, step.merchantId, wish.code) : null
    return { result, scanned, order: toPickOrder(before) }
  }
  await addPiece(statements, step, { before, wish })
  const after = await withPiecesOf(statements, step.merchantId, locked)
  const order = toPickOrder(after)
  if (order.picked_at === null) return { result, scanned: null, order }
  const text = await writeChange(statements, step.merchantId, {
    locked,
    change: { action: 'pick', actor: step.actor, kind: 'order.picked', details: pickedBottles(after) },
  })
  const { version } = JSON.parse(text) as { version: number }
  return { result, scanned: null, order: { ...order, version } }
}

function judge({ order, lines }: OpenOrder, { lineId, code }: Wish): PickResult {
  if (!isPickable(order.status)) return 'stopped'
  const line = lines.find(({ item }) => item.id === lineId)
  if (line === undefined) return 'gone'
  const { item, shelf, missing, pieces } = line
  return judgePick(
    { gtin: shelf?.gtin ?? null, quantity: item.quantity - missing, picked: pieces.length },
    code,
  )
}

async function findScanned(statements: Statements, merchantId: string, code: string | null) {
  const found = code === null ? undefined : await findByGtin(statements, merchantId, gtinsOfScan(code))
  if (found === undefined) return null
  const { offering_id, product_name: name, container_size, location } = found
  return { offering_id, name, container_size, location }
}

interface Adding {
  readonly before: OpenOrder
  readonly wish: Wish
}

/** Pieces of the bottle that this line was before its correction make room. */
async function addPiece(
  { query }: Statements,
  { merchantId, orderId, actor }: MerchantStep,
  { before, wish: { lineId, code } }: Adding,
): Promise<void> {
  const item = before.lines.find((line) => line.item.id === lineId)?.item
  if (item === undefined) return
  const key = productKeyOf(item)
  await query(
    'delete from picks where merchant_id = $1 and order_id = $2 and line_id = $3 and product_key <> $4',
    [merchantId, orderId, lineId, key],
  )
  await query(
    `insert into picks (merchant_id, order_id, line_id, piece, product_key, how, code, picker_id, picker)
     select $1, $2, $3, coalesce(max(piece), 0) + 1, $4, $5, $6, $7, $8 from picks
     where merchant_id = $1 and order_id = $2 and line_id = $3`,
    [
      merchantId,
      orderId,
      lineId,
      key,
      code === null ? 'hand' : 'scan',
      code === null ? null : (gtinsOfScan(code)[0] ?? null),
      actor.id ?? '',
      actor.name,
    ],
  )
}
