import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LineItem, Order } from '@cellarhand/contract/orders'
import { openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { orderIn } from '../../test/order-steps.ts'
import { anItem } from '../../test/orders.ts'
import { readPdf } from '../../test/papers/pdf-text.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

async function print(
  order: Order,
  { type = 'packingslip', as = shop.member, key = shop.key, method = 'GET' } = {},
) {
  const answer = await fetch(`${desk.url}/m/v2/merchant/${key}/orders/${order.id}/reports/${type}`, {
    method,
    headers: { authorization: `Bearer ${(as as Person).token}` },
  })
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}

async function read(order: Order) {
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
  return body
}

test('PRINT-006 API-042 ENT-017 GAP-112 the first packing slip marks the order as printed, and later ones change nothing', async () => {
  const order = await desk.order(shop)
  expect(order.printed_timestamp).toBeNull()
  const slip = await print(order)
  expect([slip.status, slip.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const printed = await read(order)
  expect(printed).toMatchObject({ status: 'SUBMITTED', printed_timestamp: expect.any(String), version: 2 })
  expect(printed.history[0]).toMatchObject({
    action: 'print_packing_slip',
    from: 'SUBMITTED',
    to: 'SUBMITTED',
  })
  const list = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: shop.member,
    params: { tmk: shop.key },
    query: { 'filter[status]': 'printed' },
  })
  expect(list.body.items.map(({ id }) => id)).toContain(order.id)
  expect((await readPdf(slip.bytes)).all).not.toContain('REPRINT')

  const again = await readPdf((await print(order)).bytes)
  expect(again.all).toContain('REPRINT · first printed')
  expect(await read(order)).toMatchObject({ version: 2, printed_timestamp: printed.printed_timestamp })
})

/** A server of its own, whose process for papers has just been started to draw the order's slip. */
async function beginSlip({ signal = AbortSignal.timeout(60_000) } = {}) {
  const fresh = await desk.another()
  const order = await desk.order(shop)
  const begun = Promise.withResolvers<void>()
  // Its arguments come once it has been started.
  const note = (message: unknown) =>
    setImmediate(() => {
      const { spawnargs } = (message as { process: ChildProcess }).process
      if (spawnargs.some((argument) => argument.endsWith('paper-program.ts'))) begun.resolve()
    })
  subscribe('child_process', note)
  const slipOf = async ({ id }: Order, limit?: AbortSignal) =>
    fetch(`${fresh.url}/m/v2/merchant/${shop.key}/orders/${id}/reports/packingslip`, {
      headers: { authorization: `Bearer ${shop.member.token}` },
      ...(limit === undefined ? {} : { signal: limit }),
    })
  const slip = slipOf(order, signal)
  slip.catch(() => undefined)
  await begun.promise
  unsubscribe('child_process', note)
  return { fresh, order, slip, slipOf }
}

test('a slip is drawn beside the process that answers requests, which stops once the slip has been sent', async () => {
  const { fresh, slip } = await beginSlip()
  await fresh.stop()
  const answer = await slip
  expect(answer.status).toBe(200)
  expect((await readPdf(new Uint8Array(await answer.arrayBuffer()))).all).toContain('PACKING SLIP')
})

test('a slip whose caller has hung up marks nothing', async () => {
  const hangUp = new AbortController()
  const { order, slip, slipOf } = await beginSlip({ signal: hangUp.signal })
  hangUp.abort()
  await expect(slip).rejects.toThrow()
  // It is drawn after the other, by the same process.
  expect((await slipOf(await desk.order(shop))).status).toBe(200)
  expect(await read(order)).toMatchObject({ version: 1, printed_timestamp: null })
})

test('of slips asked for at the same time one is the first, and all others say that they are not', async () => {
  const order = await desk.order(shop)
  const slips = await Promise.all([1, 2, 3, 4].map(() => print(order)))
  const texts = await Promise.all(slips.map(({ bytes }) => readPdf(bytes)))
  expect(texts.filter(({ all }) => !all.includes('REPRINT'))).toHaveLength(1)
  expect((await read(order)).version).toBe(2)
})

test('a further slip waits for no change of its order, since it marks nothing', async () => {
  const order = await desk.order(shop)
  expect((await print(order)).status).toBe(200)
  const held = await holdRows(desk, 'select 1 from orders where order_id = $1 for update', [order.id])
  const again = await print(order)
  await held.release()
  expect(again.status).toBe(200)
})

test('a HEAD request prints nothing', async () => {
  const order = await desk.order(shop)
  expect((await print(order, { method: 'HEAD' })).status).toBe(200)
  expect((await read(order)).printed_timestamp).toBeNull()
})

test('API-043 PRINT-007 VIEW-031 GAP-111 the receipt is a PDF once the order is accepted, and refused before', async () => {
  const order = await desk.order(shop)
  const early = await print(order, { type: 'receipt' })
  expect(early.status).toBe(409)
  expect(JSON.parse(Buffer.from(early.bytes).toString())).toMatchObject({ code: 'receipt_not_available' })
  const accepted = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const receipt = await print(accepted, { type: 'receipt' })
  expect([receipt.status, receipt.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect((await read(accepted)).printed_timestamp).toBeNull()
})

test('PRINT-001 GAP-113 the files’ names have the order, the customer and the kind of paper', async () => {
  const customer = { first_name: 'Ana', last_name: 'Nuñez "x"/..', email: null }
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', customer })
  const name = async (type: string) => (await print(order, { type })).headers.get('content-disposition')
  expect(await name('receipt')).toBe(
    `inline; filename="${order.id}-Nu_ez _x__-Receipt.pdf"; filename*=UTF-8''${order.id}-Nu%C3%B1ez%20_x__-Receipt.pdf`,
  )
  expect(await name('packingslip')).toContain(`${order.id}-Nu_ez _x__-PackingSlip.pdf`)
})

test('GAP-21 the slip shows the contents, the recipient and the deadline, with engravings and gift message', async () => {
  const order = await desk.order(shop, {
    delivery: { method: 'on_demand' },
    items: [
      anItem({ id: 'a', quantity: 3, subtotal: 156 }),
      anItem({
        id: 'b',
        name: 'Engraving',
        description: null,
        price: 15,
        subtotal: 15,
        product: null,
        offering: null,
        parent_line_item_id: 'a',
        aux_data: { engraving_message: ['Für Zoë\n2026'] } as LineItem['aux_data'],
      }),
    ],
    gift_message: { message: 'Happy birthday 🎂\nמזל טוב' },
  })
  const { all, pages } = await readPdf((await print(order)).bytes)
  expect(pages).toBe(1)
  for (const text of [
    `Shop ${shop.key}`,
    '1 Pier',
    '(212) 555-0123',
    `#${order.id}`,
    'On Demand',
    'Dee Nakamura',
    '118 Pearl St',
    'Copper Still Small Batch Bourbon',
    'CS-0750',
    '750 mL',
    '3 items in all',
    'ENGRAVE 1',
    'Line 1: Für Zoë',
    'Line 2: 2026',
    'Adult signature required',
    'tear here',
    'Happy birthday ',
    '🎂',
  ])
    expect(all).toContain(text)
  expect(all).toMatch(/[A-Z][a-z]{2}, [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M E[SD]T/)
  expect(all).not.toContain('$')
})

test('the receipt has every amount, and its lines match the order', async () => {
  const order = await orderIn(desk, shop, {
    status: 'MERCHANT_ACCEPTED',
    items: [anItem({ quantity: 2, price: 52, discount: 4, subtotal: 100 })],
    promo_code: 'WELCOME10',
    transaction: { subtotal: 100, tax: 8.88, delivery_fee: 5, shipping: 12, tip: 3, total: 128.88 },
  })
  const { all } = await readPdf((await print(order, { type: 'receipt' })).bytes)
  for (const text of [
    '$52.00',
    '-$4.00',
    '$100.00',
    '$8.88',
    '$5.00',
    '$12.00',
    '$3.00',
    '$128.88',
    'Promo code WELCOME10',
  ])
    expect(all).toContain(text)
})

test('a page breaks between two lines of an order and never within one', async () => {
  const items = Array.from({ length: 40 }, (_, index) =>
    anItem({
      id: `line-${index}`,
      name: `Bottle ${index} ${'of a wine with a very long name '.repeat(index % 4)}`.trim(),
      description: `About bottle ${index}`,
      offering: { id: `o-${index}`, merchant_sku: `SKU-${index}`, stock_behaviour: null },
    }),
  )
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', items })
  for (const type of ['packingslip', 'receipt']) {
    const { pages, texts } = await readPdf((await print(order, { type })).bytes)
    expect(pages).toBeGreaterThan(1)
    const pageOf = (text: string) => texts.find((run) => run.text.trim() === text)?.page
    for (let index = 0; index < 40; index++) {
      const own = texts.find(
        (run) => run.text.startsWith(`Bottle ${index} `) || run.text === `Bottle ${index}`,
      )
      expect(own?.page).toBeDefined()
      expect(pageOf(`SKU-${index}`)).toBe(own?.page)
      if (type === 'packingslip') expect(pageOf(`About bottle ${index}`)).toBe(own?.page)
    }
    expect(
      Math.max(...texts.filter((run) => !/^Page|order #/.test(run.text)).map((run) => run.y)),
    ).toBeLessThan(745)
  }
})

test('a gift message longer than a page continues on the next ones, complete', async () => {
  const message = Array.from({ length: 160 }, (_, index) => `wish ${index}`).join('\n')
  const order = await desk.order(shop, { gift_message: { message } })
  const { texts, pages } = await readPdf((await print(order)).bytes)
  expect(pages).toBeGreaterThan(2)
  const wishes = texts.map(({ text }) => text.trim()).filter((text) => text.startsWith('wish'))
  expect(wishes).toEqual(message.split('\n'))
})

test('hostile texts are printed as plain text', async () => {
  const hostile = '<script>alert(1)</script> \u202Egnp.exe\u0007 %PDF-1.4 ) Tj ET (\\\\'
  const order = await desk.order(shop, {
    items: [anItem({ name: hostile, description: hostile })],
    gift_message: { message: hostile },
  })
  const { all } = await readPdf((await print(order)).bytes)
  expect(all.replaceAll('\n', ' ')).toContain('<script>alert(1)</script> gnp.exe %PDF-1.4 ) Tj ET (\\\\')
})

test("another merchant's order is a 404, at every address", async () => {
  const order = await desk.order(shop)
  const other = await desk.openShop()
  expect((await print(order, { as: other.owner, key: other.key })).status).toBe(404)
  expect((await print(order, { as: other.owner })).status).toBe(403)
  expect((await print(order, { as: other.owner, key: other.key, type: 'receipt' })).status).toBe(404)
  expect((await read(order)).printed_timestamp).toBeNull()
})
