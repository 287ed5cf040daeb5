import { importInventory } from '#inventory/public.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk } from '../../test/desk.ts'
import { decideRule, dutiesAt } from '../../test/duties-desk.ts'
import { orderIn, storedOrder } from '../../test/order-steps.ts'
import { anItem, anOrder } from '../../test/orders.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

const { decide, careful } = dutiesAt(() => desk)

const connecticut = {
  first_name: 'Ngozi',
  last_name: 'Eze-Lindqvist',
  street_1: '1 Main St',
  city: 'Hartford',
  state: 'CT',
  zipcode: '06103',
  country: 'US',
  phone_number: '+18605550117',
}

test('a line takes what it does not say from the stock list of its shop alone', async () => {
  const [shop, other] = [await desk.openShop(), await desk.openShop()]
  // Only wine may go to Connecticut.
  await decideRule(desk, shop, { rule: 'CT-WINE' })
  const csv = [
    'offering_id,price,quantity,merchant_sku,beverage_class,abv,volume_ml,container_size',
    'off-wine,1,1,sku-wine,wine,13.5,,1.5 L',
    'off-gin,1,1,sku-gin,spirits,40,700,',
  ].join('\n')
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
  await importInventory(desk.app.db, {
    merchantKey: other.key,
    csv: 'offering_id,price,quantity,beverage_class\noff-far,1,1,wine',
  })
  const line = async (item: object) => {
    const { items, duties } = await desk.order(shop, { recipient: connecticut, items: [anItem(item)] })
    const [{ beverage_class, abv, volume_ml } = {}] = items
    return [beverage_class, abv, volume_ml, duties?.block.length ?? 0]
  }
  const product = { id: 'p-1' }
  expect(await line({ product, offering: { id: 'off-wine' } })).toEqual(['wine', 13.5, 1500, 0])
  expect(await line({ product, offering: { id: 'x', merchant_sku: 'sku-gin' } })).toEqual([
    'spirits',
    40,
    700,
    1,
  ])
  // The offering's id goes before the shop's own number.
  expect(await line({ product, offering: { id: 'off-wine', merchant_sku: 'sku-gin' } })).toEqual([
    'wine',
    13.5,
    1500,
    0,
  ])
  expect(await line({ product, offering: { id: 'off-far' } })).toEqual([undefined, undefined, undefined, 1])
  // The line's own word goes before the list's, and its container before the list's volume.
  expect(
    await line({
      product: { id: 'p-1', container_size: '375 mL' },
      offering: { id: 'off-wine' },
      beverage_class: 'spirits',
      abv: 17,
    }),
  ).toEqual(['spirits', 17, undefined, 1])
})

test('a line that the marketplace calls no alcohol is what the shop’s stock list says, and the other way round', async () => {
  const shop = await desk.openShop()
  await decideRule(desk, shop, { rule: 'CT-WINE' })
  await importInventory(desk.app.db, {
    merchantKey: shop.key,
    csv: 'offering_id,price,quantity,beverage_class\noff-gin,1,1,spirits\noff-tonic,1,1,none',
  })
  const line = async (offering: string, beverage_class: 'none' | 'spirits') => {
    const item = anItem({ product: { id: 'p-1' }, offering: { id: offering }, beverage_class })
    const { items, duties } = await desk.order(shop, { recipient: connecticut, items: [item] })
    return [items[0]?.beverage_class, duties?.block.length ?? 0]
  }
  expect(await line('off-gin', 'none')).toEqual(['spirits', 1])
  expect(await line('off-tonic', 'spirits')).toEqual(['spirits', 1])
  expect(await line('off-tonic', 'none')).toEqual(['none', 0])
  expect(await line('off-unknown', 'none')).toEqual(['none', 0])
})

test('a held order that resumes with other lines takes what they do not say from the stock list', async () => {
  const shop = await desk.openShop()
  await importInventory(desk.app.db, {
    merchantKey: shop.key,
    csv: 'offering_id,price,quantity,beverage_class,abv\noff-beer,1,1,beer,5',
  })
  const order = await orderIn(desk, shop, { status: 'REJECTED_PARTIAL' })
  const items = [anItem({ offering: { id: 'off-beer' } })]
  const { transaction } = anOrder(shop.key, { items })
  const { body } = await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id: order.id },
    body: { status: 'SUBMITTED', items, transaction },
  })
  expect(body.items[0]).toMatchObject({ beverage_class: 'beer', abv: 5 })
})

test('a line that names its class is asked by it; one without is the strictest', async () => {
  const shop = await careful()
  await decide(shop, 'CT-WINE')
  const blocks = async (item: object) =>
    (await desk.order(shop, { recipient: connecticut, items: [anItem(item)] })).duties?.block.length ?? 0
  expect([
    await blocks({}),
    await blocks({ beverage_class: 'spirits' }),
    await blocks({ beverage_class: 'wine' }),
  ]).toEqual([1, 1, 0])
  const wine = await desk.order(shop, {
    items: [anItem({ beverage_class: 'wine', abv: 13.5, volume_ml: 750 })],
  })
  expect(wine.items[0]).toMatchObject({ beverage_class: 'wine', abv: 13.5, volume_ml: 750 })
  expect(JSON.parse((await storedOrder(desk, wine.id)).document)).toMatchObject({ items: [{ abv: 13.5 }] })
  const wrong = await desk.call('POST /marketplace/v1/orders', {
    as: marketplaceCredential,
    body: anOrder(shop.key, { items: [anItem({ beverage_class: 'water' as never })] }),
  })
  expect([wrong.status, Object.keys(wrong.refusal.errors)]).toEqual([400, ['items.0.beverage_class']])
})
