import { toCents } from '@cellarhand/contract/money'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { Order } from '@cellarhand/contract/orders'
import type { Statements } from '#platform/db/database.ts'
import type { CourierJob } from './courier.ts'

interface Asked {
  readonly deliveryId: string
  readonly askedAt: Date
  readonly packages: number
  readonly instructions: string | null
}

interface ShopRow {
  readonly name: string
  readonly primary_phone: string
  readonly address: string
}

/** The facts for a courier: the shop's address, the recipient's address, and the load. */
export async function courierJobOf(
  statements: Statements,
  merchantId: string,
  { order, asked }: { order: Pick<Order, 'id' | 'recipient' | 'items' | 'transaction'>; asked: Asked },
): Promise<CourierJob> {
  const [shop] = await statements.query<ShopRow>(
    'select name, primary_phone, address::text from merchants where merchant_id = $1',
    [merchantId],
  )
  if (shop === undefined) throw new Error('The merchant of an order is gone')
  const from = JSON.parse(shop.address) as Order['recipient']
  const to = order.recipient
  return {
    deliveryId: asked.deliveryId,
    askedAt: asked.askedAt,
    orderNumber: order.id,
    packages: asked.packages,
    pickup: {
      name: shop.name,
      ...placeOf(from),
      phone: shop.primary_phone,
      instructions: asked.instructions ?? '',
    },
    dropoff: {
      name: `${to.first_name} ${to.last_name}`.trim(),
      ...placeOf(to),
      phone: to.phone_number ?? '',
      instructions: to.delivery_instructions ?? '',
    },
    items: ownLines(order).map(({ item: { name, quantity, price } }) => ({
      name,
      quantity,
      priceCents: toCents(price),
    })),
    valueCents: toCents(order.transaction.subtotal),
    tipCents: toCents(order.transaction.tip),
  }
}

/** Where the courier goes, and the phone at that door. The instructions are no part of it: they may change later. */
export function doorText(recipient: Order['recipient']): string {
  const { first_name, last_name, phone_number } = recipient
  return JSON.stringify([first_name, last_name, placeOf(recipient), phone_number])
}

function placeOf({ street_1, street_2, street_3, city, state, zipcode }: Order['recipient']) {
  const street = [street_1, street_2, street_3].filter((line): line is string => Boolean(line))
  return { street, city, state, zipcode }
}
