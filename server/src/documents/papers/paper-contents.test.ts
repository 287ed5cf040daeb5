import type { NewLineItem, NewOrder } from '@cellarhand/contract/marketplace'
import { formatDollars } from '@cellarhand/contract/money'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anItem, anOrder, deliveryBy } from '../../../test/orders.ts'
import {
  expectLegible,
  linesBelow,
  missingFrom,
  readTable,
  valueBelow,
  type Column,
} from '../../../test/papers/paper-table.ts'
import { readBars, readPdf, type PdfText } from '../../../test/papers/pdf-text.ts'
import { scan } from '../../../test/papers/read-barcode.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

async function print({ id }: Pick<Order, 'id'>, type: 'packingslip' | 'receipt') {
  const answer = await fetch(`${desk.url}/m/v2/merchant/${shop.key}/orders/${id}/reports/${type}`, {
    headers: { authorization: `Bearer ${shop.member.token}` },
  })
  expect(answer.status).toBe(200)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return { bytes, ...(await readPdf(bytes)) }
}

const accepted = (changes: Partial<NewOrder>) =>
  orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', ...changes })

const slipColumns: Column[] = [
  { name: 'QTY', isRight: true },
  { name: 'ITEM' },
  { name: 'SIZE' },
  { name: 'SKU' },
]
const receiptColumns: Column[] = [
  { name: 'ITEM' },
  { name: 'SKU' },
  { name: 'QTY', isRight: true },
  { name: 'PRICE', isRight: true },
  { name: 'DISCOUNT', isRight: true },
  { name: 'AMOUNT', isRight: true },
]

function bottle(id: string, quantity: number, changes: Partial<NewLineItem> = {}): NewLineItem {
  const price = changes.price ?? 12.5
  return anItem({
    id,
    name: `Bottle ${id}`,
    description: null,
    quantity,
    price,
    subtotal: Math.round(price * quantity * 100) / 100,
    product: { id: `p-${id}`, container_size: `${quantity}00 mL` },
    offering: { id: `o-${id}`, merchant_sku: `SKU-${id}`, stock_behaviour: null },
    ...changes,
  })
}

function engraving(
  parent: string,
  messages: readonly string[],
  changes: Partial<NewLineItem> = {},
): NewLineItem {
  const quantity = changes.quantity ?? messages.length
  const name = changes.name ?? 'engraving'
  return anItem({
    id: changes.name === 'Gift wrap' ? `wrap-of-${parent}` : `text-of-${parent}`,
    name,
    description: null,
    quantity,
    price: 15,
    subtotal: 15 * quantity,
    product: null,
    offering: null,
    parent_line_item_id: parent,
    aux_data: { engraving_message: [...messages] },
    ...changes,
  })
}

const inOrder = [bottle('a', 3), bottle('b', 12), bottle('c', 10_000), bottle('d', 1, { price: 2_500_000 })]

const clock = { hour: 'numeric', minute: '2-digit' } as const
const day = { month: 'short', day: 'numeric' } as const

function inTheShop(at: string, parts: Intl.DateTimeFormatOptions): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...parts })
  return format.format(new Date(at)).replaceAll('\u202f', ' ')
}

/** "Tue, Nov 24, 3:00 PM EST", in the shop's zone. */
function onTheShopsClock(at: string): string {
  return inTheShop(at, { weekday: 'short', ...day, ...clock, timeZoneName: 'short' })
}

test('each line of the slip has the order’s number, product, size and SKU', async () => {
  const order = await accepted({ items: inOrder })
  const { texts, bytes, all } = await print(order, 'packingslip')
  const rows = readTable(texts, slipColumns).filter(({ cells }) => cells['QTY'])
  expect(rows.map(({ cells }) => cells)).toEqual(
    order.items.map((item) => ({
      QTY: String(item.quantity),
      ITEM: item.name,
      SIZE: item.product?.container_size,
      SKU: item.offering?.merchant_sku,
    })),
  )
  expect(all).toContain('10016 items in all')
  expect(valueBelow(texts, 'DEADLINE')).toBe(onTheShopsClock(order.on_track_status?.deadline_at ?? ''))
  expect(order.on_track_status?.deadline_at).not.toBe(order.date_submitted)
  expect(texts.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      '21+',
      'Contains alcohol. Adult signature required: check the ID of whoever takes it, age 21 or older.',
    ]),
  )
  expect(await scan((await readBars(bytes))[0] ?? [])).toEqual([{ format: 'Code128', text: order.id }])
  expectLegible(texts)
})

test('each line of the receipt has its quantity, price, discount and amount, and the sums match the order', async () => {
  const items = [
    ...inOrder,
    bottle('e', 2, { price: 52, discount: 4, subtotal: 100 }),
    engraving('e', ['To Ana', 'To Bo']),
  ]
  const subtotal = items.reduce((sum, item) => sum + item.subtotal, 0)
  const order = await accepted({
    items,
    promo_code: 'WELCOME10',
    transaction: { subtotal, tax: 8.88, shipping: 12, tip: 3, total: subtotal + 23.88 },
  })
  const { texts, bytes } = await print(order, 'receipt')
  const lines = readTable(texts, receiptColumns)
  const rows = lines.filter(({ cells }) => cells['QTY'])
  expect(rows.map(({ cells }) => cells)).toEqual(
    order.items.map((item) => ({
      ITEM: item.name === 'engraving' ? 'Engraving' : item.name,
      ...(item.offering && { SKU: item.offering.merchant_sku }),
      QTY: String(item.quantity),
      PRICE: formatDollars(item.price),
      ...(item.discount > 0 && { DISCOUNT: formatDollars(-item.discount) }),
      AMOUNT: formatDollars(item.subtotal),
    })),
  )
  const sums = lines.filter(({ cells }) => cells['AMOUNT']?.startsWith('$') && !cells['QTY'])
  expect(sums.map(({ cells }) => cells['AMOUNT'])).toEqual(
    [subtotal, 12, 8.88, 3, subtotal + 23.88].map(formatDollars),
  )
  expect(valueBelow(texts, 'SHIPS BY')).toBe(onTheShopsClock(order.on_track_status?.deadline_at ?? ''))
  const words = ['An adult of 21 or older has to sign for it and show a valid ID.', 'Promo code WELCOME10']
  expect(missingFrom(texts, words)).toEqual([])
  expect(await scan((await readBars(bytes))[0] ?? [])).toEqual([{ format: 'Code128', text: order.id }])
  expectLegible(texts)
})

/** The lines at the left of a paper's head. */
function headOf(texts: readonly PdfText[]): string[] {
  const end = texts.find(({ text }) => text.trim() === 'DELIVERY')?.y ?? 0
  return texts
    .filter(({ page, x, y }) => page === 1 && Math.round(x) === 40 && y < end)
    .map(({ text }) => text.trim())
}

test('GEN-005 the papers name the merchant as the seller, and say from whom, to whom and how the order goes', async () => {
  const order = await accepted({
    application_brand_name: 'Juniper & Rye',
    customer: { first_name: 'Ana', last_name: 'Rossi', email: 'ana@example.com' },
    recipient: {
      ...anOrder('x').recipient,
      street_2: 'Apt 4',
      phone_number: '+14155550177',
      delivery_instructions: 'Ring twice',
    },
  })
  const { texts: slip } = await print(order, 'packingslip')
  const { texts: receipt } = await print(order, 'receipt')
  const ordered = inTheShop(order.date_submitted, {
    ...day,
    year: 'numeric',
    ...clock,
    timeZoneName: 'short',
  })
  for (const texts of [slip, receipt]) {
    expect(headOf(texts)).toEqual([`Shop ${shop.key}`, '1 Pier', 'New York, NY 10001', '+1 (212) 555-0123'])
    expect(linesBelow(texts, 'DELIVERY')).toEqual(['Shipping'])
    expect(valueBelow(texts, 'ORDERED')).toBe(ordered)
    expect(linesBelow(texts, 'SOLD THROUGH')).toEqual(['Juniper & Rye'])
  }
  const to = ['Dee Nakamura', '118 Pearl St', 'Apt 4', 'New York, NY 10005', '+1 (415) 555-0177']
  expect(linesBelow(slip, 'SHIP TO')).toEqual(to)
  expect(linesBelow(slip, 'ORDERED BY')).toEqual(['Ana Rossi'])
  expect(linesBelow(slip, 'DELIVERY INSTRUCTIONS')).toEqual(['Ring twice'])
  expect(linesBelow(receipt, 'DELIVERED TO')).toEqual(to)
  expect(linesBelow(receipt, 'CUSTOMER')).toEqual(['Ana Rossi', 'ana@example.com'])
})

test('a scheduled order’s papers have its whole window as the deadline', async () => {
  const order = await accepted({ delivery: deliveryBy('scheduled') })
  const [from = '', to = ''] = order.delivery.window ?? []
  const window = `${onTheShopsClock(from)} to ${inTheShop(to, clock)}`
  expect(valueBelow((await print(order, 'packingslip')).texts, 'DEADLINE')).toBe(window)
  expect(valueBelow((await print(order, 'receipt')).texts, 'DELIVERY BY')).toBe(window)
})

test.each([
  ['in the lines', 100, 104, ['$104.00', '$0.00', '$5.00', '$109.00']],
  ['in the subtotal', 104, 104, ['$108.00', '-$4.00', '$104.00', '$0.00', '$5.00', '$109.00']],
  ['in the total', 104, 108, ['$108.00', '$0.00', '$5.00', '-$4.00', '$109.00']],
])('GAP-65 a discount taken %s stands once on the receipt, and its sums add up', async (...place) => {
  const [name, line, subtotal, expected] = place
  const items = [
    bottle('a', 2, { price: 52, discount: 4, subtotal: line }),
    bottle('b', 1, { price: 4, subtotal: 4 }),
  ]
  const order = await accepted({ items, transaction: { subtotal, tax: 5, total: 109 } })
  const { texts } = await print(order, 'receipt')
  const lines = readTable(texts, receiptColumns)
  const shown = lines.filter(({ cells }) => cells['QTY']).map(({ cells }) => cells['DISCOUNT'])
  expect(shown).toEqual(name === 'in the lines' ? ['-$4.00', undefined] : [undefined, undefined])
  const sums = lines.flatMap(({ cells }) =>
    !cells['QTY'] && /^-?\$/.test(cells['AMOUNT'] ?? '') ? [cells['AMOUNT'] ?? ''] : [],
  )
  expect(sums).toEqual(expected)
})

describe('engravings', () => {
  /** The instructions for the engraving machine, in sequence: the number of pieces, and the text's lines. */
  async function engraved(order: Order) {
    const { texts } = await print(order, 'packingslip')
    expectLegible(texts)
    const told: { count: number; lines: string[] }[] = []
    for (const { text } of texts) {
      const [, count] = /^ENGRAVE (\d+)/.exec(text) ?? []
      if (count !== undefined) told.push({ count: Number(count), lines: [] })
      const [, line] = /^Line \d+: (.*)$/.exec(text) ?? []
      if (line !== undefined) told.at(-1)?.lines.push(line)
    }
    return { told, texts }
  }

  test.each([24, 60, 100])('%i different texts of three lines are all on slip and receipt', async (count) => {
    const messages = Array.from({ length: count }, (_, index) => `For guest ${index}\nwith love\n${index}`)
    const order = await accepted({ items: [bottle('a', count), engraving('a', messages), bottle('z', 1)] })
    const { told, texts } = await engraved(order)
    expect(told).toEqual(messages.map((message) => ({ count: 1, lines: message.split('\n') })))
    expect(texts.map(({ text }) => text)).toContain(`ENGRAVING: ${count} in all`)
    expect(readTable(texts, slipColumns).at(-1)?.cells['ITEM']).toBeUndefined()
    const rows = readTable(texts, slipColumns).filter(({ cells }) => cells['QTY'])
    expect(rows.map(({ cells }) => [cells['QTY'], cells['ITEM']])).toEqual([
      [String(count), 'Bottle a'],
      ['1', 'Bottle z'],
    ])
    const receipt = await print(order, 'receipt')
    expectLegible(receipt.texts)
    const shown = receipt.texts.flatMap(({ text }) => /^Line \d+: (.*)$/.exec(text)?.[1] ?? [])
    expect(shown).toEqual(messages.flatMap((message) => message.split('\n')))
  })

  test('identical texts print once, with their number', async () => {
    const order = await accepted({
      items: [
        bottle('a', 24),
        engraving(
          'a',
          Array.from({ length: 24 }, () => 'To Dee'),
        ),
        bottle('b', 3),
        engraving('b', ['To Ana\nWith love', 'To Bo', 'To Ana\nWith love']),
        bottle('c', 6),
        engraving('c', ['All alike'], { quantity: 6 }),
      ],
    })
    const { told } = await engraved(order)
    expect(told).toEqual([
      { count: 24, lines: ['To Dee'] },
      { count: 2, lines: ['To Ana', 'With love'] },
      { count: 1, lines: ['To Bo'] },
      { count: 6, lines: ['All alike'] },
    ])
  })

  test('a line with a parent belongs to it, regardless of its name, and a text on the bottle itself is printed', async () => {
    const order = await accepted({
      items: [
        bottle('a', 2),
        engraving('a', ['D. R.'], { name: 'Monogram', quantity: 2 }),
        engraving('a', [], { name: 'Gift wrap', quantity: 1, subtotal: 15, description: 'Blue paper' }),
        bottle('b', 1, { aux_data: { engraving_message: ['From the cellar'] } }),
      ],
    })
    const { told, texts } = await engraved(order)
    expect(told).toEqual([
      { count: 2, lines: ['D. R.'] },
      { count: 1, lines: ['From the cellar'] },
    ])
    const lines = texts.map(({ text }) => text)
    expect(lines).toEqual(
      expect.arrayContaining(['ENGRAVE 2: Monogram', 'ADD 1: Gift wrap', 'Blue paper', '3 items in all']),
    )
    const receipt = await print(order, 'receipt')
    const rows = readTable(receipt.texts, receiptColumns).filter(({ cells }) => cells['QTY'])
    expect(rows.map(({ cells }) => [cells['ITEM'], cells['QTY'], cells['AMOUNT']])).toEqual([
      ['Bottle a', '2', '$25.00'],
      ['Monogram', '2', '$30.00'],
      ['Gift wrap', '1', '$15.00'],
      ['Bottle b', '1', '$12.50'],
      ['Engraving', '1', undefined],
    ])
  })
})

const long = (letters: string, length: number) =>
  letters.repeat(Math.ceil(length / letters.length)).slice(0, length)
const numbered = (name: string, length: number) =>
  long(Array.from({ length: 12 }, (_, index) => `${name}${index} `).join(''), length).trim()
const tall = (name: string, length: number) =>
  long(Array.from({ length: 12 }, (_, index) => `${name}${index}\n`).join(''), length).trim()

/** The longest texts that a marketplace may send: in words, in one word, in ideographs and in lines. */
const hostile: Record<string, (name: string, length: number) => string> = {
  words: numbered,
  'one word': (name, length) => long(`${name}-X`, length),
  ideographs: (name, length) => long(`${name}山田太郎高島平`, length),
  lines: tall,
}

test.each(Object.keys(hostile))(
  'at their longest, in %s, all texts of an order are on its papers',
  async (kind) => {
    const fill = hostile[kind] ?? numbered
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
      items: [line('a', 8), engraving('a', messages, { name: fill('m', 300) }), line('b', 1)],
      application_brand_name: fill('brand', 200),
      recipient: {
        first_name: fill('first', 100),
        last_name: fill('last', 100),
        street_1: fill('one', 200),
        street_2: fill('two', 200),
        street_3: fill('three', 200),
        city: fill('city', 100),
        state: fill('state', 50),
        zipcode: '10005',
        delivery_instructions: fill('instruct', 500),
      },
      customer: {
        first_name: fill('cf', 100),
        last_name: fill('cl', 100),
        email: `${'e'.repeat(60)}@example.com`,
      },
      gift_message: gift,
      promo_code: fill('promo', 60),
    })
    const { recipient, customer, items } = order
    const both = [
      ...Object.values({ ...recipient, delivery_instructions: null }).flatMap((text) => text ?? []),
      customer.first_name,
      customer.last_name,
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
      receipt: [
        ...both,
        customer.email ?? '',
        order.promo_code ?? '',
        formatDollars(order.transaction.total),
      ],
    }
    for (const type of ['packingslip', 'receipt'] as const) {
      const { texts } = await print(order, type)
      expect(missingFrom(texts, promised[type])).toEqual([])
      expectLegible(texts)
    }
  },
)

test('an order of 200 lines is printed completely', async () => {
  const items = Array.from({ length: 200 }, (_, index) => bottle(`n${index}`, (index % 7) + 1))
  const order = await accepted({ items })
  for (const [type, columns] of [
    ['packingslip', slipColumns],
    ['receipt', receiptColumns],
  ] as const) {
    const { texts } = await print(order, type)
    const rows = readTable(texts, columns).filter(({ cells }) => cells['QTY'])
    expect(rows.map(({ cells }) => [cells['QTY'], cells['ITEM'], cells['SKU']])).toEqual(
      items.map((item) => [String(item.quantity), item.name, item.offering?.merchant_sku]),
    )
    expectLegible(texts)
  }
})
