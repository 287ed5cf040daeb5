import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order } from '@cellarhand/contract/orders'
import { outsideOf, type Outside } from '../outside.ts'
import { linkMailedTo } from '../sign-in/outbox.ts'
import { signIn } from '../people.ts'
import { anOrder } from '../../server/test/orders.ts'
import { heldPlaces } from '../../server/seed/demo-rules.ts'

/** The orders on the screens, one in each state that looks different. */
export interface Stage {
  readonly outside: Outside
  readonly fresh: Order
  readonly engraved: Order
  /** Two pictured bottles, one of them at the distributor. */
  readonly pictured: Order
  readonly acceptedParcel: Order
  /** The carrier refused its address. */
  readonly refusedLabel: Order
  readonly acceptedLocal: Order
  /** A courier was requested and is being searched for. */
  readonly withCourier: Order
  readonly outForDelivery: Order
  readonly shipped: Order
  readonly delivered: Order
  /** Its bottles are in the shop again. */
  readonly cameBack: Order
  readonly partlyRejected: Order
  readonly rejected: Order
  /** The customer is asked about a substitute; the path of the page. */
  readonly asked: { readonly order: Order; readonly path: string }
  /** Two orders of bottles with a barcode and a shelf, and the code of a bottle that neither wants. */
  readonly wave: { readonly orders: readonly [Order, Order]; readonly wrongCode: string }
  readonly cancelled: Order
  readonly presale: Order
  /** A rule of the demo is against it. */
  readonly held: Order
  /** Another program closed it without the check that a rule asks for. */
  readonly unchecked: Order
}

export const local = { delivery: { method: 'on_demand' } }

const engraving: Partial<NewOrder> = {
  gift_message: { message: 'Für Zoë — alles Gute! 生日快乐 🎂' },
  promo_code: 'CELLAR10',
  items: [
    {
      id: 'a',
      name: 'Château Montrose Saint-Estèphe Grand Cru Classé 2016',
      description: 'Bordeaux, cabernet sauvignon and merlot',
      quantity: 2,
      price: 189.5,
      subtotal: 379,
      discount: 20,
      product: { id: 'p-1', container_size: '750 mL' },
      offering: { id: 'o-1', merchant_sku: 'CHM-2016-0750', stock_behaviour: null },
    },
    {
      id: 'b',
      name: 'engraving',
      quantity: 2,
      price: 15,
      subtotal: 30,
      parent_line_item_id: 'a',
      aux_data: { engraving_message: ['Für Zoë\nalles Gute', 'Salud'] },
    },
  ],
  transaction: { subtotal: 409, tax: 33.2, delivery_fee: 9.99, tip: 5, total: 437.19 },
}

/** Lines with offerings of the demo's own inventory; the first one is at a distributor. */
async function pictures(outside: Outside, bearer: string): Promise<Partial<NewOrder>> {
  const { items } = await outside.call('GET /c/v2/merchants/{tmk}/offerings', {
    as: bearer,
    params: { tmk: 'demo' },
  })
  const kept = items.find((offering) => offering.stock_behavior === 'NextDay')
  const lines = [kept?.id ?? 'none', items[0]?.id ?? 'none'].map((offering, index) => ({
    id: `line-${index}`,
    name: ['Grüner Veltliner Smaragd', 'Copper Still Small Batch Bourbon'][index] ?? '',
    description: ['Wachau, dry', 'Straight bourbon'][index] ?? '',
    quantity: index + 1,
    price: 30,
    subtotal: 30 * (index + 1),
    image_spec: `/images/bottles/${['white', 'whiskey'][index]}-${index}-{dims}.svg`,
    product: { id: `pictured-${index}`, container_size: '750 mL' },
    offering: { id: offering, merchant_sku: `SKU-${index}`, stock_behaviour: null },
  }))
  return { items: lines, transaction: { subtotal: 90, total: 90 } }
}

/** Asks a customer about the first two named bottles of the demo of which there are two. */
async function ask(outside: Outside, bearer: string): Promise<Stage['asked']> {
  const email = `asked-${Date.now()}-${Math.random()}@example.com`
  const { items: offerings } = await outside.call('GET /c/v2/merchants/{tmk}/offerings', {
    as: bearer,
    params: { tmk: 'demo' },
  })
  const named = offerings.filter(
    ({ is_active: isActive, product, quantity }) => isActive && product?.product_line && quantity >= 2,
  )
  const six = {
    id: 'six',
    name: 'Cellar White',
    quantity: 6,
    price: 20,
    subtotal: 120,
    product: { id: 'p-six' },
  }
  const order = await outside.order('demo', {
    items: [six],
    transaction: { subtotal: 120, total: 120 },
    customer: { first_name: 'Dee', last_name: 'Nakamura', email },
  })
  const outOfStock = { 'p-six': { checked: true, reason: 'within 48 hrs', quantity: 2 } }
  await outside.update(bearer, order, {
    status: 'REJECTED_PARTIAL',
    order: { rejection_message: JSON.stringify({ outOfStock }) },
  })
  const asked = await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/substitutes', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    body: { line_id: 'six', offerings: named.slice(0, 2).map(({ id }) => id), by: 'mail' },
  })
  return { order: asked, path: await linkMailedTo(outside, email) }
}

async function wave(outside: Outside, bearer: string): Promise<Stage['wave']> {
  const { items: offerings } = await outside.call('GET /c/v2/merchants/{tmk}/offerings', {
    as: bearer,
    params: { tmk: 'demo' },
  })
  const coded = offerings.filter(
    ({ is_active: isActive, product, gtin, location }) =>
      isActive && product?.product_line && gtin !== undefined && location !== undefined,
  )
  const place = (from: number, count: number) => {
    const items = coded.slice(from, from + count).map(({ id, price, product }, at) => ({
      id: `line-${at}`,
      name: product?.product_line?.name ?? '',
      quantity: 1 + at,
      price,
      subtotal: price * (1 + at),
      product: { id: product?.tpk ?? id, container_size: product?.container_size?.formatted ?? null },
      offering: { id, merchant_sku: null, stock_behaviour: null },
    }))
    return outside.order('demo', { items })
  }
  return { orders: [await place(0, 3), await place(3, 2)], wrongCode: coded[5]?.gtin ?? '' }
}

const nowhere: Partial<NewOrder> = {
  order_weight: 4,
  recipient: { ...anOrder('x').recipient, street_1: '0 Nowhere Street' },
}

/** The carrier of the demo knows no such street. */
async function refuseLabel(outside: Outside, bearer: string, order: Order): Promise<Order> {
  const bought = outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: bearer,
    key: order.id,
    params: { tmk: 'demo', id: order.id },
    body: { order_id: order.id, boxes: [{ weight: 4, insurance: null }] } as never,
  })
  await bought.then(
    () => Promise.reject(new Error('The label was bought')),
    () => undefined,
  )
  return order
}

const presaleItem = {
  id: 'a',
  name: 'Vintage Port 2026',
  quantity: 1,
  price: 80,
  subtotal: 80,
  aux_data: { preorder_available_date: new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10) },
}

const [forbidden] = heldPlaces as [(typeof heldPlaces)[number]]

/** Makes the orders through the calls of their real parties. */
export async function setStage(url: string): Promise<Stage> {
  const outside = outsideOf(url)
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = (changes?: Partial<NewOrder>) => outside.order('demo', changes)
  const accepted = async (changes?: Partial<NewOrder>) =>
    outside.update(bearer, await order(changes), { status: 'MERCHANT_ACCEPTED' })
  const ship = (tracking_id: string) => ({
    status: 'MERCHANT_SHIPPED',
    order: { tracking_provider: 'FedEx', tracking_id },
  })
  const delivered = await outside.update(bearer, await accepted(), ship('794699990001'))
  const returned = await outside.update(bearer, await accepted(), ship('794699990003'))
  const two = [1, 2].map((n) => ({
    id: `line-${n}`,
    name: `Cellar Red ${n}`,
    quantity: 1,
    price: 20,
    subtotal: 20,
    product: { id: `p-${n}`, container_size: '750 mL' },
  }))
  const partly = await order({ items: two, transaction: { subtotal: 40, total: 40 } })
  return {
    outside,
    fresh: await order({ ...local, courier_estimate_id: null }),
    engraved: await order(engraving),
    pictured: await order(await pictures(outside, bearer)),
    acceptedParcel: await accepted(),
    refusedLabel: await refuseLabel(outside, bearer, await accepted(nowhere)),
    acceptedLocal: await accepted({ ...local, courier_estimate_id: 'est-1' }),
    withCourier: await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
      as: bearer,
      params: { tmk: 'demo', id: (await accepted({ ...local, courier_estimate_id: 'est-1' })).id },
      body: { courier_info: { dispatch_type: 'immediate', number_of_package: 2 } },
    }),
    outForDelivery: await outside.update(bearer, await accepted(local), { status: 'MERCHANT_SHIPPED' }),
    shipped: await outside.update(bearer, await accepted(), ship('794699990002')),
    delivered: await outside.carrier(delivered, 'delivered', '794699990001'),
    cameBack: await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/came_back', {
      as: bearer,
      params: { tmk: 'demo', id: returned.id },
      body: { bottles: 1, version: returned.version },
    }),
    partlyRejected: await outside.update(bearer, partly, {
      status: 'REJECTED_PARTIAL',
      order: {
        rejection_message: JSON.stringify({
          outOfStock: { 'p-1': { checked: true, reason: 'within 48 hrs' } },
        }),
      },
    }),
    asked: await ask(outside, bearer),
    rejected: await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
      as: bearer,
      params: { tmk: 'demo', id: (await order()).id },
      body: { reason: { code: 'other', value: 'The last bottle broke on the way to the counter' } },
    }),
    wave: await wave(outside, bearer),
    cancelled: await outside.tell(await order(), { status: 'CANCELLED', comment: 'No longer wanted' }),
    presale: await accepted({
      delivery: { method: 'preorder' },
      items: [presaleItem],
      transaction: { subtotal: 80, total: 80 },
    }),
    held: await order({
      recipient: {
        first_name: 'Ngozi',
        last_name: 'Eze-Lindqvist',
        phone_number: '+13075550117',
        ...forbidden,
      },
    }),
    unchecked: await outside.update(
      bearer,
      await outside.update(bearer, await accepted(local), { status: 'MERCHANT_SHIPPED' }),
      { status: 'CLOSED', delivery_info: { delivered_on: new Date().toISOString() } },
    ),
  }
}
