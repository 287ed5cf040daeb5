import { notesAtMost, noteLength } from '@cellarhand/contract/notes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { listen } from '../../test/event-reader.ts'
import { storedOrder } from '../../test/order-steps.ts'

let desk: Desk
let shop: Shop

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

interface Target {
  readonly as: Person
  /** An order; the store without one. */
  readonly id?: string
  readonly tmk?: string
  readonly headers?: Record<string, string>
}

const list = ({ as, id, tmk = shop.key }: Target) =>
  id === undefined
    ? desk.call('GET /m/v2/merchant/{tmk}/notes', { as, params: { tmk } })
    : desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/notes', { as, params: { tmk, id } })
const add = ({ as, id, tmk = shop.key, headers = {} }: Target, text: unknown) =>
  id === undefined
    ? desk.call('POST /m/v2/merchant/{tmk}/notes', { as, params: { tmk }, body: { text }, headers })
    : desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/notes', {
        as,
        params: { tmk, id },
        body: { text },
        headers,
      })
const remove = ({ as, id, tmk = shop.key }: Target, note: string) =>
  id === undefined
    ? desk.call('DELETE /m/v2/merchant/{tmk}/notes/{note}', { as, params: { tmk, note } })
    : desk.call('DELETE /m/v2/merchant/{tmk}/orders/{id}/notes/{note}', { as, params: { tmk, id, note } })

const hostile = [
  '<script>alert(1)</script> "quoted" \'; drop table notes; --',
  '=cmd|"/C calc"!A0',
  '\u202Eright to left\u202C, 🍷, é, \t tab\nand a second line',
  `${'x'.repeat(noteLength - 1)}é`,
]

test.each(['an order', 'the store'])(
  'notes on %s have text, author and time, the newest first',
  async (what) => {
    const id = what === 'an order' ? (await desk.order(shop)).id : undefined
    const of = (as: Person): Target => ({ as, ...(id && { id }) })
    for (const text of hostile) expect([text, (await add(of(shop.member), text)).status]).toEqual([text, 201])
    const { body } = await add(of(shop.owner), '  The gift goes to the neighbour.  ')
    expect(body.notes.map(({ text }) => text)).toEqual([
      'The gift goes to the neighbour.',
      ...hostile.toReversed(),
    ])
    expect(body.notes.map(({ author }) => author.split(' ')[0])).toEqual([
      'owner',
      ...hostile.map(() => 'user'),
    ])
    expect(body.notes.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 600_000)).toBe(true)
    expect((await list(of(shop.manager))).body).toEqual(body)
  },
)

const newest = (as: Person, orders: string, tmk = shop.key) =>
  desk.call('GET /m/v2/merchant/{tmk}/orders/notes', { as, params: { tmk }, query: { orders } })

test('of several orders those with notes are told, each with the newest one, its author and how many there are', async () => {
  const other = await desk.openShop()
  const [quiet, one, many] = [await desk.order(shop), await desk.order(shop), await desk.order(shop)]
  const theirs = await desk.order(other)
  await add({ as: other.owner, id: theirs.id, tmk: other.key }, 'Theirs')
  await add({ as: shop.member }, 'Of the store')
  await add({ as: shop.owner, id: one.id }, hostile[0])
  for (const text of ['First', 'Second', 'Third']) await add({ as: shop.member, id: many.id }, text)
  // In another sequence than they were written.
  await desk.owner.query(
    `update notes set written_at = written_at - interval '1 hour' where order_id = $1 and words = 'Third'`,
    [many.id],
  )
  const asked = [many, quiet, one, theirs].map(({ id }) => id).join(',')
  const { status, body } = await newest(shop.member, asked)
  expect(status).toBe(200)
  const { notes } = (await list({ as: shop.member, id: many.id })).body
  expect(notes[0]?.text).toBe('Second')
  expect(body.orders.toSorted((a, b) => a.count - b.count)).toEqual([
    {
      id: one.id,
      count: 1,
      newest: { text: hostile[0], author: expect.stringMatching(/^owner /), at: expect.any(String) },
    },
    { id: many.id, count: 3, newest: { text: 'Second', author: notes[0]?.author, at: notes[0]?.at } },
  ])
  for (const note of notes) await remove({ as: shop.owner, id: many.id }, note.id)
  expect((await newest(shop.member, asked)).body.orders.map(({ id }) => id)).toEqual([one.id])

  expect((await newest(other.owner, asked)).status).toBe(403)
  expect((await newest(other.owner, asked, other.key)).body.orders.map(({ id }) => id)).toEqual([theirs.id])
  for (const wrong of ['', 'abc', `${one.id},`, Array.from({ length: 101 }, () => one.id).join(',')])
    expect([wrong, (await newest(shop.member, wrong)).status]).toEqual([wrong, 400])
})

test.each([
  ['', 'empty'],
  [' \n ', 'spaces'],
  ['x'.repeat(noteLength + 1), 'too long'],
  ['a\0b', 'NUL'],
  [7, 'no text'],
] as const)('refuses %o (%s) at its field', async (text, _why) => {
  const { id } = await desk.order(shop)
  const { status, refusal } = await add({ as: shop.member, id }, text)
  expect([status, Object.keys(refusal.errors)]).toEqual([400, ['text']])
  expect((await list({ as: shop.member, id })).body.notes).toEqual([])
})

test('a note is deleted for good by its author, a manager or an owner, and by nobody else', async () => {
  const { id } = await desk.order(shop)
  const colleague = await desk.addPerson(shop.key, 'merch.user')
  const write = async (text: string) => (await add({ as: shop.member, id }, text)).body.notes[0]?.id ?? ''
  const [first, second, third] = [await write('one'), await write('two'), await write('three')]
  const refused = await remove({ as: colleague, id }, first)
  expect([refused.status, refused.refusal.code]).toEqual([403, 'note_of_another'])
  expect((await list({ as: colleague, id })).body.notes.map((note) => note.can_delete)).toEqual([
    false,
    false,
    false,
  ])
  for (const [as, note] of [
    [shop.member, first],
    [shop.manager, second],
    [shop.owner, third],
    // A second press, or a colleague who was faster.
    [shop.owner, third],
  ] as const)
    expect((await remove({ as, id }, note)).status).toBe(200)
  const { rows } = await desk.owner.query('select 1 from notes where order_id = $1', [id])
  expect(rows).toEqual([])
})

test('a repeated request adds one note, and with another text it is refused', async () => {
  const { id } = await desk.order(shop)
  const target = { as: shop.member, id, headers: { 'idempotency-key': 'note-1' } }
  const [one, two] = [await add(target, 'Once'), await add(target, 'Once')]
  expect(two.body).toEqual(one.body)
  expect((await add(target, 'Another')).status).toBe(422)
  expect((await list({ as: shop.member, id })).body.notes.length).toBe(1)
})

test('an order and the store hold so many notes, also when two clerks add the last one at once', async () => {
  const { id } = await desk.order(shop)
  await desk.owner.query(
    `insert into notes (merchant_id, order_id, note_id, author_id, author, words)
     select $1, $2, 'n-' || n, 'x', 'x', 'x' from generate_series(1, $3::int) n`,
    [shop.key, id, notesAtMost - 1],
  )
  const answers = await Promise.all([shop.member, shop.owner].map((as) => add({ as, id }, 'The last one')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('too_many_notes')
  expect((await list({ as: shop.member, id })).body.notes.length).toBe(notesAtMost)
})

test('the marketplace receives nothing of a note: not in its order, its events or a webhook, and the order stays as it is', async () => {
  const order = await desk.order(shop)
  const before = await storedOrder(desk, order.id)
  const secret = 'Beware of the dog named Cerberus'
  await add({ as: shop.member, id: order.id }, secret)
  await add({ as: shop.member }, secret)
  expect(await storedOrder(desk, order.id)).toEqual(before)
  const as = marketplaceCredential
  const read = [
    await desk.call('GET /marketplace/v1/orders/{id}', { as, params: { id: order.id } }),
    await desk.call('GET /marketplace/v1/orders', { as, query: { merchant: shop.key } }),
    await desk.call('GET /marketplace/v1/events', { as }),
    await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } }),
  ]
  for (const { status, text } of read) expect([status, text.includes('Cerberus')]).toEqual([200, false])
  for (const path of [
    `/m/v2/merchant/${shop.key}/orders/${order.id}/notes`,
    `/m/v2/merchant/${shop.key}/notes`,
    `/m/v2/merchant/${shop.key}/orders/notes?orders=${order.id}`,
  ])
    expect((await desk.send('GET', path, { as })).status).toBe(401)
})

test('GEN-007 another merchant neither reads, adds nor deletes notes', async () => {
  const other = await desk.openShop()
  const { id } = await desk.order(shop)
  const { body } = await add({ as: shop.member, id }, 'Ours')
  const note = body.notes[0]?.id ?? ''
  for (const as of [other.owner, other.member]) {
    expect((await list({ as, id })).status).toBe(403)
    expect((await list({ as, id, tmk: other.key })).status).toBe(404)
    expect((await add({ as, id, tmk: other.key }, 'Theirs')).status).toBe(404)
    expect((await remove({ as, id, tmk: other.key }, note)).status).toBe(404)
  }
  expect((await list({ as: shop.member, id })).body.notes.map(({ text }) => text)).toEqual(['Ours'])
})

test('every screen of the shop hears of a change at once, also one that another server serves, and no words of it', async () => {
  const second = await desk.another()
  const readers = [
    await listen(desk, { key: shop.key, as: shop.member }),
    await listen(second, { key: shop.key, as: shop.manager }),
  ]
  const changesOf = ({ event, data }: { event: string; data: unknown }) =>
    event === 'notes' ? (data as { changes: number }).changes : -1
  const before = await Promise.all(readers.map((reader) => reader.next((event) => changesOf(event) >= 0)))
  const { id } = await desk.order(shop)
  await add({ as: shop.owner, id }, 'Said to Cerberus alone')
  for (const [index, reader] of readers.entries()) {
    const least = before[index] === undefined ? 0 : changesOf(before[index])
    await reader.next((event) => changesOf(event) > least)
    expect(JSON.stringify(reader.events)).not.toContain('Cerberus')
    await reader.cut()
  }
  await second.stop()
})
