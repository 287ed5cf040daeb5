import { expect, test } from 'vitest'
import { orderDetailsCsv } from './order-csv.ts'
import type { Order } from './orders.ts'

const item = {
  id: 'a',
  name: 'Gin',
  description: null,
  quantity: 2,
  price: 31.5,
  subtotal: 63,
  discount: 0,
  product: { id: 'p', container_size: '750 mL' },
  offering: null,
  aux_data: null,
}

function anOrder(part: object = {}): Order {
  return {
    id: '1000123',
    thirstie_logistic_order_ref: 'ref-1',
    status: 'SUBMITTED',
    date_submitted: '2026-11-21T10:00:00.000Z',
    delivery: { method: 'on_demand', date: null, window: null },
    courier_estimate_id: null,
    recipient: {
      first_name: 'Zoë',
      last_name: 'O’Hara',
      street_1: '1 Pier',
      city: 'New York',
      state: 'NY',
      zipcode: '01004',
      country: 'US',
    },
    customer: { first_name: '山田', last_name: 'A', email: null },
    transaction: { subtotal: 63, tax: 5.2, delivery_fee: 0, shipping: 0, tip: 0, total: 68.2 },
    items: [item],
    ...part,
  } as unknown as Order
}

/** Reads the file as a spreadsheet does. */
function parse(csv: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = csv.startsWith('\uFEFF') ? 1 : 0; at < csv.length; at++) {
    const sign = csv.charAt(at)
    if (sign === '"' && isQuoted && csv.charAt(at + 1) === '"') cell += csv.charAt(++at)
    else if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) cell += sign
    else if (sign === ',') cell = (rows.at(-1)?.push(cell), '')
    else if (sign === '\n') cell = (rows.at(-1)?.push(cell), rows.push([]), '')
    else if (sign !== '\r') cell += sign
  }
  return rows.slice(0, -1)
}

function fieldsOf(csv: string, line = 1): Record<string, string | undefined> {
  const [names = [], ...lines] = parse(csv)
  return Object.fromEntries(names.map((name, index) => [name, lines[line - 1]?.[index]]))
}

test('LIST-024 GAP-140 one line per item, in UTF-8 with a byte order mark, and every line as wide as the head', () => {
  const csv = orderDetailsCsv([
    anOrder({ items: [item, { ...item, name: 'Tonic, "dry"\r\nsix cans' }] }),
    anOrder({ id: '7' }),
  ])
  expect(csv.startsWith('\uFEFFOrder,Reference,')).toBe(true)
  expect(csv.endsWith('\r\n')).toBe(true)
  const rows = parse(csv)
  expect(rows).toHaveLength(4)
  expect(new Set(rows.map((row) => row.length)).size).toBe(1)
  expect(fieldsOf(csv)).toMatchObject({
    Order: '1000123',
    'Recipient first name': 'Zoë',
    'Customer first name': '山田',
    Zip: '01004',
    Quantity: '2',
    Price: '31.5',
    'Order total': '68.2',
    SKU: '',
  })
  expect(fieldsOf(csv, 2)['Item']).toBe('Tonic, "dry"\nsix cans')
  expect(fieldsOf(csv, 3)['Order']).toBe('7')
})

test('engravings are below their line, regardless of its name, with blank lines between their messages', () => {
  const engraving = (id: string, parent_line_item_id: string, messages: string[]) => ({
    ...item,
    id,
    name: 'Monogram',
    parent_line_item_id,
    aux_data: { engraving_message: messages },
  })
  const csv = orderDetailsCsv([
    anOrder({
      items: [
        item,
        { ...item, id: 'b', name: 'Rye' },
        engraving('y', 'b', ['C']),
        engraving('x', 'a', ['A\nB', 'C']),
      ],
    }),
  ])
  expect([1, 2, 3, 4].map((line) => fieldsOf(csv, line)['Item'])).toEqual([
    'Gin',
    'Monogram',
    'Rye',
    'Monogram',
  ])
  expect([2, 4].map((line) => fieldsOf(csv, line)['Engraving'])).toEqual(['A\nB\n\nC', 'C'])
})

test.each([
  '=1+1',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\u200b=1',
  '＝1',
  '=HYPERLINK("http://x","y")',
  '=1";=2',
  '|calc',
])('LIST-024 %j is text and no formula', (text) => {
  const csv = orderDetailsCsv([
    anOrder({ gift_message: { message: text }, items: [{ ...item, name: text }] }),
  ])
  const { Item, 'Gift message': gift } = fieldsOf(csv)
  expect([Item, gift]).toEqual([`'${text.replaceAll('\r', '\n')}`, `'${text.replaceAll('\r', '\n')}`])
})

test('LIST-024 a text that is no formula stays as it is', () => {
  for (const text of ['Dry = good', 'Jean-Luc', 'a@b.example', '5% off', 'O’Hara', ''])
    expect(fieldsOf(orderDetailsCsv([anOrder({ promo_code: text })]))['Promo code']).toBe(text)
})

test('the ID check, the signer and the delivery come after all columns that were there before', () => {
  const csv = orderDetailsCsv([
    anOrder({
      age_check: {
        result: 'passed',
        reason: null,
        method: 'passport',
        checked_by: 'Sam Ortiz',
        checked_at: '2026-11-21T18:05:00.000Z',
      },
      delivery_info: {
        signed_by: 'D. Nakamura',
        delivered_by: 'Sam Ortiz',
        delivered_on: '2026-11-21T18:05:00.000Z',
      },
    }),
  ])
  const [names = [], cells = []] = parse(csv)
  const before = names.indexOf('Tracking number')
  expect(before).toBe(41)
  expect(names.slice(before + 1).map((name, index) => [name, cells[before + 1 + index]])).toEqual([
    ['ID check', 'passed'],
    ['ID check reason', ''],
    ['ID', 'passport'],
    ['ID checked by', 'Sam Ortiz'],
    ['ID checked at', '2026-11-21T18:05:00.000Z'],
    ['Signed by', 'D. Nakamura'],
    ['Delivered by', 'Sam Ortiz'],
    ['Delivered at', '2026-11-21T18:05:00.000Z'],
    ['Missing', ''],
    ['Country', 'US'],
  ])
})

test('the details say how many pieces of each line are missing', () => {
  const [item] = anOrder({}).items
  const line = { line_id: item?.id ?? '', name: 'Gin', quantity: 6, missing: 4 }
  const csv = orderDetailsCsv([anOrder({ shortage: { lines: [line], total: 10, refund: 40 } })])
  expect(fieldsOf(csv)).toMatchObject({ Missing: '4' })
})

test('the details of an order that was not handed over have the reason', () => {
  const check = {
    result: 'refused',
    reason: 'no_valid_id',
    method: null,
    checked_by: 'Sam Ortiz',
    checked_at: '2026-11-20T18:12:00.000Z',
  } as const
  expect(fieldsOf(orderDetailsCsv([anOrder({ age_check: check })]))).toMatchObject({
    'ID check': 'refused',
    'ID check reason': 'no_valid_id',
  })
})
