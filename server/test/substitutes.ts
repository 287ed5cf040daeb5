import type { Order } from '@cellarhand/contract/orders'
import type { Api } from '@cellarhand/contract/api'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import { importInventory } from '../src/inventory/public.ts'
import { marketplaceCredential, type Desk, type Person, type Shop } from './desk.ts'
import { counterOf } from './order-steps.ts'
import { anItem } from './orders.ts'

const stock = `offering_id,price,quantity,product_id,product_name,container_size,merchant_sku,is_active,beverage_class
same,10,12,p-dry,Dry Gin,750 mL,DG,true,spirits
dear,12.50,9,p-old,Old Tom Gin,700 mL,OT,true,spirits
cheap,8,9,p-sloe,Sloe Gin,750 mL,SG,true,spirits
gone,9,0,p-gone,Delisted Gin,750 mL,XG,false,spirits
last,9,1,p-last,Last Gin,750 mL,LG,true,spirits
pair,9,2,p-pair,Pair Gin,750 mL,PG,true,spirits
nameless,9,3,p-none,,750 mL,NG,true,spirits
`

/** Gin of a shop, at $10, with others beside it in the stock list. */
export async function stockGin(desk: Desk, { key }: Shop): Promise<void> {
  await importInventory(desk.app.db, { merchantKey: key, csv: stock })
}

type Settings = Api['PUT /m/v2/merchant/{tmk}/substitutes']['body']

/** A manager sets how long customers have, and what their silence means. */
export function setSilence(desk: Pick<Desk, 'call'>, { key, manager }: Shop, body: Settings) {
  return desk.call('PUT /m/v2/merchant/{tmk}/substitutes', { as: manager, params: { tmk: key }, body })
}

let phones = 6000
const newPhone = () => `+1212555${phones++}`

interface Held {
  readonly order: Order
  readonly phone: string
}

/** Six gins at $10, two of them missing, and a rye at $52; on hold. */
export async function holdGin(desk: Desk, shop: Shop, changes: Partial<NewOrder> = {}): Promise<Held> {
  const phone = newPhone()
  const order = await desk.order(shop, {
    items: [
      anItem({
        id: 'gin',
        name: 'Gin',
        product: { id: 'p-gin' },
        offering: { id: 'o-gin' },
        quantity: 6,
        price: 10,
        subtotal: 60,
      }),
      anItem({ id: 'rye', name: 'Rye', product: { id: 'p-rye' } }),
    ],
    transaction: { subtotal: 112, tax: 11.2, total: 123.2 },
    customer: {
      first_name: 'Dee',
      last_name: 'Nakamura',
      email: `dee${phone.slice(-4)}@example.com`,
      phone_number: phone,
    },
    ...changes,
  })
  const held = await counterOf(desk, { key: shop.key, as: shop.member }, order).update({
    status: 'REJECTED_PARTIAL',
    order: {
      rejection_message: JSON.stringify({
        outOfStock: { 'p-gin': { checked: true, reason: '', quantity: 2 } },
      }),
    },
  })
  return { order: held.body, phone: order.customer.phone_number ?? '' }
}

type NewOffer = Api['POST /m/v2/merchant/{tmk}/orders/{id}/substitutes']['body']

/** The calls of a clerk and of the customer about one order. */
export function askingOf(desk: Desk, shop: Shop, { order, phone }: Held) {
  const id = order.id
  const linkTo = async (to: string) => {
    const { body } = await desk.call('GET /demo/outbox.json')
    return body.items.find((each) => each.to === to)?.links[0]
  }
  return {
    offer: (wish: Partial<NewOffer> = {}, as: Person = shop.member) =>
      desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/substitutes', {
        as,
        params: { tmk: shop.key, id },
        body: { line_id: 'gin', offerings: ['same', 'dear'], by: 'text', ...wish },
      }),
    withdraw: (offer: string, as: Person = shop.member) =>
      desk.call('DELETE /m/v2/merchant/{tmk}/orders/{id}/substitutes/{offer}', {
        as,
        params: { tmk: shop.key, id, offer },
      }),
    read: async () => (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body,
    asMarketplace: async () =>
      (await desk.call('GET /marketplace/v1/orders/{id}', { as: marketplaceCredential, params: { id } }))
        .body,
    linkTo,
    /** The path of the link that the customer got. */
    path: async (to = phone) => new URL((await linkTo(to)) ?? 'http://no.link/').pathname,
    open: (path: string) => desk.send('GET', path),
    answer: (path: string, choice?: string) =>
      fetch(`${desk.url}${path}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(choice === undefined ? {} : { choice }),
      }),
  }
}

/** When the message about an offer left, as the desk has noted it: some time after the customer has it. */
export async function leftAt(desk: Pick<Desk, 'owner'>, offerId: string): Promise<Date | null | undefined> {
  const { rows } = await desk.owner.query<{ left_at: Date | null }>(
    `select coalesce(o.told_at, m.sent_at) as left_at from substitute_offers o
       left join outgoing_mails m using (mail_id) where o.offer_id = $1`,
    [offerId],
  )
  return rows[0]?.left_at
}
