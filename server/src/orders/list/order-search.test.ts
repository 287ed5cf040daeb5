import { readFile } from 'node:fs/promises'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, type Desk, type Person, type Shop } from '../../../test/desk.ts'
import { followLink } from '../../../test/list-model.ts'
import { takeStep } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'

let desk: Desk
let shop: Shop
let other: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  other = await desk.openShop()
})
afterAll(async () => desk.stop())

const plain = anOrder('x')

async function of(
  {
    recipient,
    customer,
    email,
  }: { recipient?: [string, string]; customer?: [string, string]; email?: string },
  where = shop,
): Promise<string> {
  const changes: Partial<NewOrder> = {
    recipient: {
      ...plain.recipient,
      first_name: recipient?.[0] ?? '',
      last_name: recipient?.[1] ?? 'Nobody',
    },
    customer: { first_name: customer?.[0] ?? '', last_name: customer?.[1] ?? 'Nobody', email: email ?? null },
  }
  return (await desk.order(where, changes)).id
}

type Search = 'filter[search]' | 'filter[recipient_name]' | 'filter[customer_email]'

async function search(by: Search, text: string, as: Person = shop.member) {
  const { status, body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
    as,
    params: { tmk: as === other.member ? other.key : shop.key },
    query: { [by]: text, limit: 10, offset: 0 },
  })
  expect(status).toBe(200)
  return body.items.map((order) => order.id)
}
const byName = async (text: string) => search('filter[recipient_name]', text)
const byEmail = async (text: string) => search('filter[customer_email]', text)
const byNumber = async (text: string) => search('filter[search]', text)

describe('by order number', () => {
  test('SEARCH-001 SEARCH-014 GAP-55 GAP-90 a number is found by its beginning, with or without its hash', async () => {
    const id = await of({})
    expect(await byNumber(id)).toEqual([id])
    expect(await byNumber(`#${id}`)).toEqual([id])
    expect(await byNumber(` #${id} `)).toEqual([id])
    expect(await byNumber(id.slice(0, -1))).toContain(id)
  })

  test('SEARCH-001 SEARCH-002 with more hits than are shown, the newest are found, by number and by phone', async () => {
    const orders = await desk.orders(other, 45)
    const wanted = orders.map(({ id }) => id).toSorted((a, b) => Number(b) - Number(a))
    // A beginning that all of them share, which is more than a search reads.
    const [first = '', last = ''] = [wanted.at(-1), wanted[0]]
    const common = [...first].findIndex((digit, index) => digit !== last[index])
    expect(await search('filter[search]', first.slice(0, common), other.member)).toEqual(wanted.slice(0, 10))
    for (const box of ['filter[search]', 'filter[recipient_name]'] as const)
      expect(await search(box, '212 555 0123', other.member)).toEqual(wanted.slice(0, 10))
  })

  test('GAP-90 not by its middle, nor by any text that is no number', async () => {
    const id = await of({})
    expect(await byNumber(id.slice(1, 4))).toEqual([])
    for (const text of [
      '##',
      '#',
      '%',
      '1_',
      `${id}0`,
      `${id} or 1=1`,
      '*',
      '１',
      '0x1',
      '\\',
      '9'.repeat(99),
    ])
      expect([text, await byNumber(text)]).toEqual([text, []])
  })
})

describe('by name', () => {
  test('SEARCH-002 SEARCH-015 GAP-88 GAP-90 any part of the recipient’s or the customer’s name, in any case', async () => {
    const id = await of({ recipient: ['Marguerite', 'Quillfeather'], customer: ['Otto', 'Zwillinger'] })
    for (const text of [
      'Marguerite',
      'QUILL',
      'ite quill',
      'otto zwill',
      '  Zwillinger ',
      '#Otto',
      'ITE',
      'zw',
    ])
      expect([text, await byName(text)]).toEqual([text, [id]])
    for (const text of ['Marguerite Otto', 'feather otto', 'Otto Quillfeather', 'quil feather'])
      expect([text, await byName(text)]).toEqual([text, []])
  })

  test('GAP-90 accents do not matter, neither in the name nor in the search', async () => {
    const ids = await Promise.all([
      of({ customer: ['Zoë', 'Brontëlike'] }),
      of({ customer: ['Zoe', 'Brontelike'] }),
    ])
    for (const text of ['zoe bronte', 'Zoë Bront', 'ZOË BRONTË', 'zoe\u0308 bronte\u0308like'])
      expect(new Set(await byName(text))).toEqual(new Set(ids))
  })

  test.each([
    ['Strauß', 'strauss'],
    ['Wałęsa', 'walesa'],
    ['Søren', 'soren'],
    ['Đorđe', 'dorde'],
    ['Sigurðsson', 'sigurdsson'],
    ['Þórsdóttir', 'thorsdottir'],
    ['Bæk', 'baek'],
    ['Œuvrard', 'oeuvrard'],
    ['Işık', 'isik'],
  ])('GAP-90 %s is found as %s, and the other way round', async (name, typed) => {
    const id = await of({ recipient: ['Letter', name] })
    for (const text of [`letter ${typed}`, `letter ${name}`])
      expect([text, await byName(text)]).toEqual([text, [id]])
  })

  test('SEARCH-002 SQL’s special signs are read literally', async () => {
    const names = ['a%b', 'a_b', 'a\\b', "a'b", 'a"b', 'axb', 'a--b', 'a;b', 'a$1b']
    const ids = await Promise.all(names.map(async (name) => of({ customer: [name, 'Litteral'] })))
    for (const [index, name] of names.entries())
      expect([name, await byName(`${name} litt`)]).toEqual([name, [ids[index]]])
    expect(new Set(await byName('b litteral'))).toEqual(new Set(ids))
    for (const text of ['%litteral', 'a%litteral', 'litt_ral', 'litteral\\', '\\%', '%%%'])
      expect([text, await byName(text)]).toEqual([text, []])
  })

  test('GAP-90 an empty text finds nothing', async () => {
    for (const text of ['', ' ', '#', '\u0301']) expect(await byName(text)).toEqual([])
  })
})

describe('by the street', () => {
  test('SEARCH-001 SEARCH-002 GAP-90 the house and its street, however it goes on, in either box', async () => {
    const at = async (street_1: string) =>
      (await desk.order(shop, { recipient: { ...plain.recipient, street_1 } })).id
    const elm = await at('1187 Elm Street')
    const broadway = await at('1187 West Broadway, Rear')
    const mendez = await at('1187-89 Méndez Núñez Ave.')
    for (const find of [byNumber, byName]) {
      for (const text of ['1187 Elm', '1187 elm st', ' 1187  ELM street, Albany'])
        expect([text, await find(text)]).toEqual([text, [elm]])
      for (const text of ['1187 West', '1187 Broadway', '1187 west broadway'])
        expect([text, await find(text)]).toEqual([text, [broadway]])
      for (const text of ['1187 Mendez', '1187-89 méndez'])
        expect([text, await find(text)]).toEqual([text, [mendez]])
      for (const text of ['1188 Elm', '1187 El', '87 Elm', 'Elm 1187'])
        expect([text, await find(text)]).toEqual([text, []])
    }
    expect(await search('filter[search]', '1187 Elm', other.member)).toEqual([])
  })

  test('SEARCH-001 GAP-90 an order that came before the streets were kept is found as well, and a corrected street replaces it', async () => {
    const streets = [
      '2291 N. Oak Street',
      '2291 Élan Court',
      '2291 1/2 Birch',
      'Oak Street 2291',
      '1 C St',
      '2291',
    ]
    for (const street_1 of streets) await desk.order(shop, { recipient: { ...plain.recipient, street_1 } })
    const kept = async () =>
      (
        await desk.owner.query<{ key: string; order_id: string }>(
          `select key, order_id from order_keys where key ~ ' ' order by key, order_id`,
        )
      ).rows
    const expected = await kept()
    expect(expected.length).toBeGreaterThan(3)
    await desk.owner.query(`delete from order_keys where key ~ ' '`)
    await desk.owner.query(
      await readFile(new URL('../../../migrations/0041-order-streets.sql', import.meta.url), 'utf8'),
    )
    expect(await kept()).toEqual(expected)

    const [found = ''] = await byNumber('2291 Birch')
    const { status } = await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
      as: shop.member,
      params: { tmk: shop.key, id: found },
      body: {
        street_1: '7 Larch Lane',
        city: 'Albany',
        state: 'NY',
        zipcode: '12207',
        phone_number: '2125550123',
      },
    })
    expect([status, await byNumber('2291 Birch'), await byNumber('7 larch')]).toEqual([200, [], [found]])
  })
})

describe('by what is said on the phone', () => {
  test('SEARCH-001 SEARCH-002 GAP-90 the last four digits, a phone number and a post code, in either box', async () => {
    const { id } = await desk.order(shop, {
      recipient: { ...plain.recipient, phone_number: '+1 (415) 555-0177', zipcode: '94107-3321' },
      customer: { first_name: 'Ida', last_name: 'Caller', email: null, phone_number: '628.555.0188' },
    })
    const far = await desk.order(shop, {
      recipient: { ...plain.recipient, country: 'CA', zipcode: 'K1A 0B1' },
    })
    for (const find of [byNumber, byName]) {
      for (const text of ['K1A 0B1', 'k1a0b1']) expect([text, await find(text)]).toEqual([text, [far.id]])
      for (const text of [
        '4155550177',
        '+1 415 555 0177',
        '(628) 555-0188',
        '16285550188',
        '94107',
        '94107-3321',
      ])
        expect([text, await find(text)]).toEqual([text, [id]])
      expect(await find(id.slice(-4))).toContain(id)
      for (const more of [id.slice(-5), id.slice(-6)]) expect([more, await find(more)]).toEqual([more, [id]])
      const fifth = (Number(id.at(-5)) + 1) % 10
      expect(await find(`${fifth}${id.slice(-4)}`)).toEqual([])
      for (const text of ['41555501', '9410', id.slice(-3)])
        expect([text, await find(text)]).toEqual([text, []])
    }
  })

  test('SEARCH-002 the digits within a name are not the last four of an order’s number', async () => {
    const { id } = await desk.order(shop)
    const ending = id.slice(-4)
    const named = await of({ customer: ['Ada', `Q${ending.slice(0, 2)}x${ending.slice(2)}`] })
    expect(await byName(`q${ending.slice(0, 2)}x${ending.slice(2)}`)).toEqual([named])
    expect(await byName(`Studio ${ending}`)).toEqual([])
  })

  test('SEARCH-001 a tracking number finds its order from the moment it is saved, and a corrected one replaces it', async () => {
    const order = await desk.order(shop)
    await takeStep(desk, shop, { order, step: 'accept' })
    const track = async (tracking_id: string) => {
      const { status } = await desk.call('PUT /m/v2/orders/{id}', {
        as: shop.member,
        params: { id: order.id },
        body: { id: order.id, status: 'MERCHANT_SHIPPED', order: { tracking_provider: 'UPS', tracking_id } },
      })
      expect(status).toBe(200)
    }
    await track('1Z 999 AA1 01 2345 6784')
    expect(await byNumber('1z999aa10123456784')).toEqual([order.id])
    await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/tracking', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
      body: { tracking_provider: 'UPS', tracking_id: '1Z999AA10123456795' },
    })
    expect(await byNumber('1Z999AA10123456795')).toEqual([order.id])
    expect(await byNumber('1Z999AA10123456784')).toEqual([])
  })

  test('SEARCH-002 "Nakamura, Dee" is Dee Nakamura, and a comma that belongs to the name stays', async () => {
    const ids = [
      await of({ recipient: ['Deedee', 'Nakamurra'] }),
      await of({ customer: ['', 'Cellars & Sons, Inc'] }),
    ]
    expect(await byName('Nakamurra, Deedee')).toEqual([ids[0]])
    expect(await byName('nakamurra ,deedee')).toEqual([ids[0]])
    expect(await byName('cellars & sons, inc')).toEqual([ids[1]])
  })

  test('SEARCH-002 "Nakamura Dee" is Dee Nakamura where nobody is called so, and otherwise the one who is', async () => {
    const dee = await of({ recipient: ['Wanda', 'Okonkwo'] })
    expect(await byName('okonkwo wanda')).toEqual([dee])
    expect(await byName('Okonkwo  Wanda')).toEqual([dee])
    const other = await of({ recipient: ['Okonkwo', 'Wanda'] })
    expect(await byName('okonkwo wanda')).toEqual([other])
    expect(await byName('wanda okonkwo')).toEqual([dee])
    expect(await byName('okonkwo wanda maria')).toEqual([])
  })

  test('SEARCH-002 where names and post codes match, the newest of both are found', async () => {
    const customer = { first_name: '', last_name: 'Lot 60601', email: null }
    await desk.orders(shop, 12, () => ({ customer }))
    const coded = await desk.orders(shop, 12, () => ({ recipient: { ...plain.recipient, zipcode: '60601' } }))
    const newest = coded.map(({ id }) => id).toSorted((a, b) => Number(b) - Number(a))
    expect(await byName('60601')).toEqual(newest.slice(0, 10))
  })

  test('GEN-007 not an order of another merchant', async () => {
    const { id } = await desk.order(other, {
      recipient: { ...plain.recipient, phone_number: '4155550199', zipcode: '10999' },
    })
    for (const text of ['4155550199', '10999']) expect(await byNumber(text)).toEqual([])
    expect(await byNumber(id.slice(-4))).not.toContain(id)
    expect(await search('filter[search]', '10999', other.member)).toEqual([id])
  })
})

describe('by e-mail', () => {
  test('SEARCH-003 SEARCH-016 GAP-90 any part of it, in any case, with its special signs', async () => {
    const id = await of({ email: 'Ana.Maria_1+wine#2@Example.ORG' })
    const decoy = await of({ email: 'ana.mariax1+wine2@example.org' })
    for (const text of ['ana.maria_1', 'WINE#2@EXAMPLE', 'ana.maria_1+wine#2@example.org'])
      expect([text, await byEmail(text)]).toEqual([text, [id]])
    expect(new Set(await byEmail('@example.org'))).toEqual(new Set([id, decoy]))
    expect(await byEmail('ana%maria')).toEqual([])
  })
})

test('SEARCH-006 SEARCH-013 API-027 ENT-047 a search gives the newest ten, complete, with the number of hits, and goes on', async () => {
  const ids: string[] = []
  for (let index = 0; index < 12; index++) ids.unshift(await of({ customer: ['Many', 'Orderling'] }))
  const ask = async (query: Record<string, string | number>) =>
    desk.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
      as: shop.member,
      params: { tmk: shop.key },
      query,
    })
  const { body } = await ask({ 'filter[recipient_name]': 'orderling', limit: 10, offset: 0 })
  expect(body.items.map((order) => order.id)).toEqual(ids.slice(0, 10))
  expect(body.items[0]?.items[0]).toMatchObject({
    name: 'Copper Still Small Batch Bourbon',
    quantity: 1,
    price: 52,
  })
  expect([body.total_rows, body.prev_url, body.current_filter]).toEqual([
    11,
    null,
    { recipient_name: 'orderling' },
  ])

  const rest = await followLink(desk, shop.member, body.next_url)
  expect([rest.items.map((order) => order.id), rest.total_rows, rest.next_url]).toEqual([
    ids.slice(10),
    12,
    null,
  ])
  const back = await followLink(desk, shop.member, rest.prev_url)
  expect(back.items.map((order) => order.id)).toEqual(ids.slice(0, 10))
  const beyond = await ask({ 'filter[recipient_name]': 'orderling', limit: 10, offset: 50 })
  expect([beyond.body.items, beyond.body.total_rows, beyond.body.next_url]).toEqual([[], 12, null])

  const prefix = (ids[0] ?? '').slice(0, 4)
  const numbers = (await ask({ 'filter[search]': prefix, limit: 100 })).body
  const second = (await ask({ 'filter[search]': prefix, limit: 5, offset: 5 })).body
  expect(second.items.map((order) => order.id)).toEqual(numbers.items.slice(5, 10).map((order) => order.id))
  expect(second.total_rows).toBe(numbers.total_rows)
})

test('API-027 a first page of hits says that there are more, and a search can be paged to its end', async () => {
  const sent = await desk.orders(other, 115, () => ({
    customer: { first_name: '', last_name: 'Nobody', email: 'host@legion.example' },
  }))
  const ids = sent.map(({ id }) => id)
  let page = (
    await desk.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
      as: other.member,
      params: { tmk: other.key },
      query: { 'filter[customer_email]': '@legion', limit: 20 },
    })
  ).body
  expect(page.total_rows).toBe(21)
  const seen = page.items.map((order) => order.id)
  while (page.next_url !== null) {
    page = await followLink(desk, other.member, page.next_url)
    seen.push(...page.items.map((order) => order.id))
  }
  expect(seen).toHaveLength(115)
  expect(new Set(seen)).toEqual(new Set(ids))
  expect(page.total_rows).toBe(115)
})

test('SEARCH-017 exactly one of the three searches', async () => {
  const ask = async (query: Record<string, string>) =>
    desk.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
      as: shop.member,
      params: { tmk: shop.key },
      query,
    })
  const none = await ask({})
  expect([none.status, Object.keys(none.refusal.errors)]).toEqual([400, ['filter[search]']])
  const two = await ask({ 'filter[search]': '1', 'filter[recipient_name]': 'x' })
  expect([two.status, Object.keys(two.refusal.errors)]).toEqual([
    400,
    ['filter[search]', 'filter[recipient_name]'],
  ])
  const three = await ask({
    'filter[search]': '1',
    'filter[recipient_name]': 'x',
    'filter[customer_email]': 'y',
  })
  expect(three.status).toBe(400)
})

test('GEN-007 GEN-008 GAP-90 no search ever finds another merchant’s orders', async () => {
  const id = await of({ customer: ['Secretive', 'Foreigner'], email: 'hidden@foreign.example' }, other)
  expect(await search('filter[recipient_name]', 'foreigner', other.member)).toEqual([id])
  expect(await byNumber(id)).toEqual([])
  expect(await byName('foreigner')).toEqual([])
  expect(await byEmail('hidden@foreign')).toEqual([])
})
