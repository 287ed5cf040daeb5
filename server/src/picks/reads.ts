import { missingByLine } from '@cellarhand/contract/missing-pieces'
import { ownLines } from '@cellarhand/contract/order-lines'
import { isPickable } from '@cellarhand/contract/judge-pick'
import type { PickLine, PickOrder } from '@cellarhand/contract/picks'
import { findShelves, type Shelf } from '#inventory/public.ts'
import type { Statements } from '#platform/db/database.ts'
import type { LockedOrder, StoredOrder } from '#orders/public.ts'

interface Piece {
  readonly order_id: string
  readonly line_id: string
  readonly piece: number
  readonly product_key: string
  readonly how: 'scan' | 'hand'
  readonly picker: string
  readonly picked_at: Date
}

type Item = StoredOrder['items'][number]

/** What a picked piece was of: after corrected lines, the line can be of another bottle. */
export function productKeyOf({ product, offering }: Item): string {
  return `${product?.id ?? ''} ${offering?.id ?? ''}`
}

/** An order with the pieces of each own line, and what the stock list says of the line's bottle. */
export interface OpenOrder {
  readonly order: StoredOrder
  readonly deadlineAt: Date
  readonly lines: readonly {
    readonly item: Item
    readonly shelf: Shelf | undefined
    readonly missing: number
    readonly pieces: readonly Piece[]
  }[]
}

/** Reads the pieces and shelves of orders that were read before. */
export async function withPieces(
  { query, ...statements }: Statements,
  merchantId: string,
  orders: readonly Pick<OpenOrder, 'order' | 'deadlineAt'>[],
): Promise<OpenOrder[]> {
  const offerings = orders.flatMap(({ order }) => ownLines(order).flatMap(({ item }) => item.offering ?? []))
  const [shelfOf, pieces] = await Promise.all([
    findShelves({ query, ...statements }, merchantId, offerings),
    query<Piece>(
      `select order_id, line_id, piece, product_key, how, picker, picked_at from picks
       where merchant_id = $1 and order_id = any($2) order by order_id, line_id, piece`,
      [merchantId, orders.map(({ order }) => order.id)],
    ),
  ])
  return orders.map(({ order, deadlineAt }) => {
    const missing = missingByLine(order)
    return {
      order,
      deadlineAt,
      lines: ownLines(order).map(({ item }) => ({
        item,
        shelf: item.offering === null ? undefined : shelfOf(item.offering),
        missing: missing.get(item.id) ?? 0,
        pieces: pieces.filter(
          (piece) =>
            piece.order_id === order.id &&
            piece.line_id === item.id &&
            piece.product_key === productKeyOf(item),
        ),
      })),
    }
  })
}

/** The same of one order that the caller has locked. */
export async function withPiecesOf(
  statements: Statements,
  merchantId: string,
  { order, deadlineAt }: LockedOrder,
): Promise<OpenOrder> {
  const [read] = await withPieces(statements, merchantId, [{ order, deadlineAt }])
  if (read === undefined) throw new Error(`Order ${order.id} was locked and not read`)
  return read
}

export function toPickOrder({ order, deadlineAt, lines }: OpenOrder): PickOrder {
  const shown = lines.map(toPickLine)
  const isPicked =
    shown.some(({ quantity }) => quantity > 0) && shown.every((line) => line.picked === line.quantity)
  const last = Math.max(...lines.flatMap(({ pieces }) => pieces.map(({ picked_at: at }) => at.getTime())))
  return {
    id: order.id,
    status: order.status,
    version: order.version,
    recipient: `${order.recipient.first_name} ${order.recipient.last_name}`.trim(),
    deadline_at: deadlineAt.toISOString(),
    delivery_method: order.delivery.method,
    is_open: isPickable(order.status),
    lines: shown,
    picked_at: isPicked ? new Date(last).toISOString() : null,
  }
}

function toPickLine({ item, shelf, missing, pieces }: OpenOrder['lines'][number]): PickLine {
  const quantity = item.quantity - missing
  const kept = pieces.slice(0, quantity)
  return {
    id: item.id,
    name: item.name,
    container_size: item.product?.container_size ?? shelf?.container_size ?? null,
    image_spec: item.image_spec,
    merchant_sku: item.offering?.merchant_sku ?? shelf?.merchant_sku ?? null,
    offering_id: shelf?.offering_id ?? null,
    location: shelf?.location ?? null,
    code_ends: shelf?.gtin?.slice(-4) ?? null,
    ...(shelf && { is_active: shelf.is_active }),
    ...(shelf?.taken_down && { taken_down: shelf.taken_down }),
    quantity,
    missing,
    picked: kept.length,
    by_hand: kept.filter(({ how }) => how === 'hand').length,
    too_many: pieces.length - kept.length,
  }
}

/** Each bottle with its picker and the moment, for the history. */
export function pickedBottles({ lines }: OpenOrder) {
  const bottles = lines.map(({ item, missing, pieces }) => ({
    line_id: item.id,
    name: item.name,
    pieces: pieces
      .slice(0, item.quantity - missing)
      .map(({ how, picker, picked_at: at }) => ({ how, by: picker, at: at.toISOString() })),
  }))
  return { bottles: bottles.filter(({ pieces }) => pieces.length > 0) }
}

/** In the sequence of the wave. Another merchant's order is as absent as one that never was. */
export async function listPicks(
  statements: Statements,
  merchantId: string,
  orderIds: readonly string[],
): Promise<{ orders: PickOrder[] }> {
  const ids = [...new Set(orderIds)]
  const rows = await statements.query<{ document: string; deadline_at: Date }>(
    'select document, deadline_at from orders where merchant_id = $1 and order_id = any($2)',
    [merchantId, ids],
  )
  const orders = rows
    .map((row) => ({ order: JSON.parse(row.document) as StoredOrder, deadlineAt: row.deadline_at }))
    .toSorted((one, other) => ids.indexOf(one.order.id) - ids.indexOf(other.order.id))
  return { orders: (await withPieces(statements, merchantId, orders)).map(toPickOrder) }
}
