import { ownLines } from '@cellarhand/contract/order-lines'
import { formatPhone } from '@cellarhand/contract/phone'
import { findShelves } from '#inventory/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { OrderToPick } from './picks.ts'
import { addressLinesOf, type PrintedOrder } from './printed-order.ts'

interface Row {
  readonly document: string
  readonly deadline_at: Date
  readonly name: string
  readonly address: string
  readonly primary_phone: string
  readonly timezone: string
}

/** Orders for printing, by number. */
export async function readPrintedOrders(
  statements: Statements,
  merchantId: string,
  orderIds: readonly string[],
): Promise<Map<string, PrintedOrder>> {
  const rows = await statements.query<Row>(
    `select o.document, o.deadline_at, m.name, m.address, m.primary_phone, m.timezone
     from orders o join merchants m using (merchant_id)
     where o.merchant_id = $1 and o.order_id = any($2)`,
    [merchantId, orderIds],
  )
  return new Map(
    rows.map((row) => {
      const order = JSON.parse(row.document) as PrintedOrder['order']
      const shop = {
        name: row.name,
        addressLines: addressLinesOf(JSON.parse(row.address) as Parameters<typeof addressLinesOf>[0]),
        phone: formatPhone(row.primary_phone),
        timezone: row.timezone,
      }
      return [order.id, { order, shop, deadlineAt: row.deadline_at }]
    }),
  )
}

/** The same with the shelves of their lines, in the sequence of the numbers. */
export async function readOrdersToPick(
  statements: Statements,
  merchantId: string,
  orderIds: readonly string[],
): Promise<OrderToPick[]> {
  const printed = await readPrintedOrders(statements, merchantId, orderIds)
  const orders = orderIds.flatMap((id) => printed.get(id) ?? [])
  const linesOf = ({ order }: PrintedOrder) => ownLines(order).map(({ item }) => item)
  const offerings = orders.flatMap((order) => linesOf(order).flatMap(({ offering }) => offering ?? []))
  const shelfOf = await findShelves(statements, merchantId, offerings)
  return orders.map((order) => ({
    ...order,
    shelves: new Map(
      linesOf(order).flatMap(({ id, offering }) => {
        const location = offering === null ? null : shelfOf(offering)?.location
        return location ? [[id, location] as const] : []
      }),
    ),
  }))
}

export async function getPrintedOrder(
  statements: Statements,
  merchantId: string,
  orderId: string,
): Promise<PrintedOrder> {
  const orders = await readPrintedOrders(statements, merchantId, [orderId])
  return orders.get(orderId) ?? refuse('not_found')
}
