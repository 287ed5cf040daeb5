import type { NewLineItem, NewOrder } from '@cellarhand/contract/marketplace'
import { formatDollars } from '@cellarhand/contract/money'
import { paperFormats } from '@cellarhand/contract/paper-formats'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { decideRule } from '../../../test/duties-desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anItem, anOrder } from '../../../test/orders.ts'
import { importInventory } from '#inventory/public.ts'
import { expectLegibleOn, missingFrom } from '../../../test/papers/paper-table.ts'
import { readBars, readPdf, type PdfText } from '../../../test/papers/pdf-text.ts'
import { scan } from '../../../test/papers/read-barcode.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const mm = 72 / 25.4
const narrow = [
  { paper: 'roll80', width: 80 * mm, margin: 4 * mm },
  { paper: 'label4x6', width: 288, height: 432, margin: 12 },
] as const
type Narrow = (typeof narrow)[number]
type ReportType = 'packingslip' | 'receipt'

async function print({ id }: Pick<Order, 'id'>, type: ReportType, paper: string) {
  const answer = await fetch(
    `${desk.url}/m/v2/merchant/${shop.key}/orders/${id}/reports/${type}?paper=${paper}`,
    { headers: { authorization: `Bearer ${shop.member.token}` } },
  )
  expect(answer.status).toBe(200)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return { bytes, ...(await readPdf(bytes)) }
}

const accepted = (changes: Partial<NewOrder>) =>
  orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...changes })

function bottle(id: string, quantity: number, changes: Partial<NewLineItem> = {}): NewLineItem {
  return anItem({
    id,
    name: `Bottle ${id}`,
    description: null,
    quantity,
    price: 12.5,
    subtotal: 12.5 * quantity,
    product: { id: `p-${id}`, container_size: '750 mL' },
    offering: { id: `o-${id}`, merchant_sku: `SKU-${id}`, stock_behaviour: null },
    ...changes,
  })
}

function engraving(parent: string, messages: readonly string[], changes: Partial<NewLineItem> = {}) {
  return anItem({
    id: `text-of-${parent}`,
    name: 'engraving',
    description: null,
    quantity: messages.length,
    price: 15,
    subtotal: 15 * messages.length,
    product: null,
    offering: null,
    parent_line_item_id: parent,
    aux_data: { engraving_message: [...messages] },
    ...changes,
  })
}

/** On every page: a roll is as long as its contents, a label has its own size. */
function expectSizes({ sizes, texts }: Awaited<ReturnType<typeof print>>, { width, ...at }: Narrow): void {
  for (const [index, size] of sizes.entries()) {
    expect(size.width).toBeCloseTo(width, 2)
    const last = Math.max(...texts.filter(({ page }) => page === index + 1).map(({ y }) => y))
    if ('height' in at) expect(size.height).toBe(at.height)
    else expect(size.height - last).toBeLessThan(30)
  }
}

/** The texts of one line, at one height, from left to right. */
function lineWith(texts: readonly PdfText[], text: string): string[] {
  const run = texts.find((each) => each.text.trim() === text)
  return texts
    .filter(({ page, y }) => page === run?.page && Math.abs(y - run.y) < 3)
    .toSorted((a, b) => a.x - b.x)
    .map((each) => each.text.trim())
}

test.each(narrow)(
  'on $paper, slip and receipt have everything that they have on a letter page',
  async (format) => {
    await decideRule(desk, shop, { rule: 'NY-BOX-TEXT' })
    const ruleText = 'CONTAINS ALCOHOL: SIGNATURE OF PERSON AGE 21 YEARS OR OLDER REQUIRED FOR DELIVERY'
    const items = [
      bottle('a', 2),
      engraving('a', ['To Ana\nWith love', 'To Bo']),
      bottle('b', 10_000, { price: 52, discount: 4, subtotal: 519_996 }),
    ]
    const subtotal = items.reduce((sum, item) => sum + item.subtotal, 0)
    const order = await accepted({
      items,
      application_brand_name: 'Juniper & Rye',
      recipient: {
        ...anOrder('x').recipient,
        street_2: 'Apt 4',
        phone_number: '+14155550177',
        delivery_instructions: 'Ring twice',
      },
      gift_message: { message: 'Happy birthday!' },
      promo_code: 'WELCOME10',
      transaction: { subtotal, tax: 8.88, shipping: 12, tip: 3, total: subtotal + 23.88 },
    })
    await eventually(async () =>
      expect((await readPdf((await print(order, 'packingslip', 'letter')).bytes)).all).toContain('REPRINT'),
    )
    for (const type of ['packingslip', 'receipt'] as const) {
      const wide = await print(order, type, 'letter')
      const slim = await print(order, type, format.paper)
      expectLegibleOn(slim, format.margin)
      expectSizes(slim, format)
      const bare = (text: string) => text.replaceAll(/[\s,]+/g, '')
      const all = bare(slim.texts.map(({ text }) => text).join(''))
      // A letter page's column heads, and its footer, are the only words that a narrow paper leaves out.
      const heads = /^(QTY|ITEM|SIZE|SKU|PRICE|DISCOUNT|AMOUNT|.* · order #\d+|Page \d+ of \d+)$/
      const missing = wide.texts.filter(({ text }) => !heads.test(text.trim()) && !all.includes(bare(text)))
      expect(missing.map(({ text }) => text)).toEqual([])
      const bars = (await readBars(slim.bytes))[0] ?? []
      expect(await scan(bars)).toEqual([{ format: 'Code128', text: order.id }])
      // The thinnest bar has three of the dots of a printer with 203 to the inch.
      expect(Math.min(...bars.map(({ width }) => width))).toBeCloseTo(3 * (mm / 8), 2)
      expect(Math.min(...bars.map(({ x }) => x))).toBeGreaterThanOrEqual(10 * 3 * (mm / 8) - 0.01)
    }
    const { texts: slip } = await print(order, 'packingslip', format.paper)
    expect(missingFrom(slip, [ruleText, '21+'], [...slip])).toEqual([])
    expect(lineWith(slip, 'Bottle a')).toEqual(['2', 'Bottle a'])
    expect(lineWith(slip, 'Bottle b')).toEqual(['10000', 'Bottle b'])
    const { texts: receipt } = await print(order, 'receipt', format.paper)
    expect(lineWith(receipt, '2 × $12.50')).toEqual(['2 × $12.50', '$25.00'])
    expect(lineWith(receipt, '10000 × $52.00')).toEqual(['10000 × $52.00', formatDollars(519_996)])
    expect(lineWith(receipt, 'Discount')).toEqual(['Discount', '-$4.00'])
    expect(lineWith(receipt, 'Total')).toEqual(['Total', formatDollars(subtotal + 23.88)])
  },
)

const long = (letters: string, length: number) =>
  letters.repeat(Math.ceil(length / letters.length)).slice(0, length)
const hostile: Record<string, (name: string, length: number) => string> = {
  words: (name, length) => long(`${name} text `, length).trim(),
  'one word': (name, length) => long(`${name}-X`, length),
  ideographs: (name, length) => long(`${name}山田太郎高島平`, length),
  lines: (name, length) => long(`${name}\n`, length).trim(),
}

test.each(narrow.flatMap((format) => Object.keys(hostile).map((kind) => ({ ...format, kind }))))(
  'on $paper at their longest, in $kind, all texts of an order are on its papers',
  async ({ kind, ...format }) => {
    const fill = hostile[kind] ?? long
    const gift = { message: fill('gift', 2000) }
    const line = (id: string, quantity: number) =>
      bottle(id, quantity, {
        name: fill(`n${id}`, 300),
        description: fill(`d${id}`, 2000),
        product: { id: `p-${id}`, container_size: fill('s', 40) },
        offering: { id: `o-${id}`, merchant_sku: fill(`k${id}`, 64), stock_behaviour: null },
      })
    const messages = Array.from({ length: 8 }, (_, index) => fill(`e${index}x`, 500))
    const order = await accepted({
      items: [line('a', 8), engraving('a', messages, { name: fill('m', 300) }), line('b', 1_000)],
      application_brand_name: fill('brand', 200),
      recipient: {
        ...anOrder('x').recipient,
        first_name: fill('first', 100),
        last_name: fill('last', 100),
        street_1: fill('one', 200),
        delivery_instructions: fill('instruct', 500),
      },
      customer: { first_name: fill('cf', 100), last_name: fill('cl', 100), email: 'a@example.com' },
      gift_message: gift,
      promo_code: fill('promo', 60),
    })
    const { recipient, customer, items } = order
    const both = [
      recipient.first_name,
      recipient.last_name,
      recipient.street_1,
      customer.first_name,
      order.application_brand_name ?? '',
      ...items.flatMap((item) => [item.name, item.offering?.merchant_sku ?? '']),
      ...messages.flatMap((message) => message.split('\n')),
    ]
    const promised = {
      packingslip: [
        ...both,
        recipient.delivery_instructions ?? '',
        ...gift.message.split('\n'),
        ...items.flatMap((item) => [item.description ?? '', item.product?.container_size ?? '']),
      ],
      receipt: [...both, order.promo_code ?? '', formatDollars(order.transaction.total)],
    }
    for (const type of ['packingslip', 'receipt'] as const) {
      const paper = await print(order, type, format.paper)
      const repeated = paper.texts.filter(({ text }) =>
        /\(continued\)$|^(Page \d+ of \d+|order #\d+)$/.test(text.trim()),
      )
      const body = paper.texts.filter(
        ({ page, y }) => !repeated.some((run) => run.page === page && Math.abs(run.y - y) < 1),
      )
      expect(missingFrom(paper.texts, promised[type], body)).toEqual([])
      expectLegibleOn(paper, format.margin)
      expectSizes(paper, format)
    }
  },
)

test.each(narrow)('a batch on $paper has its pick list and all its slips on that paper', async (format) => {
  const csv = 'offering_id,price,quantity,merchant_sku,shelf\no-a,20,4,SKU-a,Z-09\nother,20,4,SKU-c,A-01'
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
  const items = [bottle('b', 1), bottle('c', 2)]
  const orders = [
    await accepted({ items: [bottle('a', 3), ...items] }),
    await accepted({ items: [bottle('a', 4)] }),
  ]
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/reports', {
    as: shop.member,
    params: { tmk: shop.key },
    body: {
      order_keys: orders.map((order) => order.thirstie_logistic_order_ref),
      report_types: ['packingslip'],
      paper: format.paper,
    },
  })
  const url = await eventually(async () => {
    const batch = await desk.call('GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}', {
      as: shop.member,
      params: { tmk: shop.key, batch_id: body.batch_id },
    })
    expect(batch.body.completed_count).toBe(2)
    return batch.body.batch_pdf_urls.packingslip ?? expect.fail()
  })
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer())
  const file = { bytes, ...(await readPdf(bytes)) }
  expectLegibleOn(file, format.margin)
  expectSizes(file, format)
  const list = file.texts.filter(({ page }) => page === 1)
  expect(lineWith(list, 'Bottle a')).toEqual(['7', 'Bottle a'])
  expect(missingFrom(list, [`#${orders[0]?.id} ×3`, 'Shelf Z-09', 'SKU SKU-a', '750 mL'], list)).toEqual([])
  // Shelf by shelf, and the bottle without one last.
  const walk = list.flatMap(({ text }) => text.match(/^(?:Bottle|Shelf) .*/)?.[0].trim() ?? [])
  expect(walk).toEqual(['Bottle c', 'Shelf A-01', 'Bottle a', 'Shelf Z-09', 'Bottle b'])
  expect(file.all).toContain(`#${orders[1]?.id}`)
})

test('a paper that nobody knows is refused', async () => {
  expect(paperFormats).toHaveLength(narrow.length + 1)
  const order = await accepted({})
  const path = `/m/v2/merchant/${shop.key}/orders/${order.id}/reports/packingslip?paper=a4`
  expect((await desk.send('GET', path, { as: shop.member })).status).toBe(400)
})
