import type { Endpoint } from '@cellarhand/contract/endpoint'
import { endpoints } from '@cellarhand/contract/endpoints'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  type Desk,
  type Shop,
} from '../../../test/desk.ts'
import { readPage } from '../../../test/list-model.ts'
import { counterOf, orderIn, storedOrder } from '../../../test/order-steps.ts'
import { anItem, anOrder } from '../../../test/orders.ts'
import { hostileTexts } from '../../../test/random-requests.ts'

let desk: Desk
let shop: Shop
let order: Order
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  order = await orderIn(desk, shop, { status: 'SUBMITTED' })
})
afterAll(async () => desk.stop())

const put = async (body: unknown, headers: Record<string, string> = {}) =>
  desk.call('PUT /m/v2/orders/{id}', { as: shop.member, params: { id: order.id }, body, headers })
const accept = '{"status":"MERCHANT_ACCEPTED"}'

describe('an unreadable body changes nothing', () => {
  test.each<[string, string, number, string]>([
    ['cut short', '{"status":"MERCHANT_ACCEPTED"', 400, 'malformed_body'],
    ['with a comma too many', '{"status":"MERCHANT_ACCEPTED",}', 400, 'malformed_body'],
    ['two of them', `${accept}${accept}`, 400, 'malformed_body'],
    ['a bare word', 'MERCHANT_ACCEPTED', 400, 'malformed_body'],
    ['a naked NUL', '{"status":"MERCHANT_ACCEPTED\u0000"}', 400, 'malformed_body'],
    ['a built-in', '{"__proto__":{"status":"MERCHANT_ACCEPTED"}}', 400, 'malformed_body'],
    ['a built-in within', '{"status":"MERCHANT_ACCEPTED","order":{"__proto__":{}}}', 400, 'malformed_body'],
    ['a constructor', '{"status":"MERCHANT_ACCEPTED","constructor":{"prototype":{}}}', 400, 'malformed_body'],
    ['nothing', '', 400, 'validation_failed'],
    ['null', 'null', 400, 'validation_failed'],
    ['an array', `[${accept}]`, 400, 'validation_failed'],
    ['a number', '1', 400, 'validation_failed'],
    ['a text', '"MERCHANT_ACCEPTED"', 400, 'validation_failed'],
    ['nested a hundred thousand deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, 'malformed_body'],
    [
      'nested deep in a field',
      `{"status":"MERCHANT_ACCEPTED","order":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      400,
      'malformed_body',
    ],
    [
      'nested deeper than any order',
      `{"status":"MERCHANT_ACCEPTED","order":${'['.repeat(40)}${']'.repeat(40)}}`,
      400,
      'malformed_body',
    ],
    [
      'nested as deep as a provider might send it',
      `{"status":"[[[[{{{{\\\\","order":${'['.repeat(20)}${']'.repeat(20)}}`,
      400,
      'validation_failed',
    ],
    [
      'more than a megabyte',
      `{"status":"MERCHANT_ACCEPTED","x":"${'x'.repeat(1_100_000)}"}`,
      413,
      'body_too_large',
    ],
    ['nearly a megabyte of spaces', `{"status":"NO"${' '.repeat(1_000_000)}}`, 400, 'validation_failed'],
  ])('%s', async (...[, body, status, code]) => {
    const before = await storedOrder(desk, order.id)
    const answer = await put(body)
    expect([answer.status, answer.refusal.code]).toEqual([status, code])
    expect(await storedOrder(desk, order.id)).toEqual(before)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'json',
    'application/json-patch+json',
  ])('sent as %s', async (type) => {
    const answer = await put(accept, { 'content-type': type })
    expect([answer.status, answer.refusal.code]).toEqual([415, 'unsupported_media_type'])
    expect((await storedOrder(desk, order.id)).version).toBe(order.version)
  })

  test.each([
    ['a few hundred', 300, 100],
    ['hundreds of thousands of', 300_000, 1],
  ])('%s faulty entries are not all told', async (_, entries, told) => {
    const answer = await desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/accept', {
      as: shop.member,
      params: { tmk: shop.key },
      body: `{"orders":[${Array.from({ length: entries }, () => '{}').join(',')}]}`,
    })
    expect([answer.status, answer.refusal.code]).toEqual([400, 'validation_failed'])
    expect(Object.keys(answer.refusal.errors ?? {})).toHaveLength(told)
  })

  test('bytes that are not UTF-8 are no name', async () => {
    const text = JSON.stringify({ delivery_instructions: 'XX' })
    const bytes = Buffer.from(text)
    bytes.fill(0xff, bytes.indexOf('XX'), bytes.indexOf('XX') + 2)
    const response = await fetch(
      new URL(`/m/v2/merchant/${shop.key}/orders/${order.id}/delivery_instructions`, desk.url),
      {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.member.token}`, 'content-type': 'application/json' },
        body: bytes,
      },
    )
    expect(response.status).toBeLessThan(500)
  })
})

describe('a text is stored exactly as it was sent, or refused', () => {
  const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

  test.each(hostileTexts.map((text) => [text]))('%j', async (text) => {
    const sent = anOrder(shop.key, {
      items: [anItem({ name: `n${text}`.slice(0, 300), description: text.slice(0, 2000) })],
      gift_message: { message: text.slice(0, 2000) },
      recipient: {
        ...anOrder('x').recipient,
        last_name: `r${text}`.slice(0, 100),
        street_2: text.slice(0, 200),
      },
      customer: { first_name: text.slice(0, 100), last_name: 'Nobody', email: null },
    })
    const { status, body } = await desk.call('POST /marketplace/v1/orders', {
      as: marketplaceCredential,
      body: sent,
    })
    expect(status).toBe(isStorable(text) ? 201 : 400)
    if (status !== 201) return
    const comment = `c${text}`.slice(0, 500).trim()
    const cancelled = await counterOf(desk, { key: shop.key, as: shop.member }, body).tell({
      status: 'CANCELLED',
      comment,
    })
    expect(cancelled.status).toBe(200)
    const detail = (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: body.id } }))
      .body
    const listed = (await readPage(desk, shop, { 'filter[order_key]': body.thirstie_logistic_order_ref }))
      .body.items[0]
    for (const read of [detail, listed]) {
      expect(read).toMatchObject({
        recipient: { last_name: sent.recipient.last_name, street_2: sent.recipient.street_2 },
        gift_message: sent.gift_message,
        status_comment: comment,
      })
      expect(read?.customer.first_name).toBe(sent.customer.first_name)
      expect(read?.items[0]).toMatchObject({
        name: sent.items[0]?.name,
        description: sent.items[0]?.description,
      })
    }
    expect(detail.history[0]?.comment).toBe(comment)
  })

  test('in the address and the query', async () => {
    for (const text of hostileTexts) {
      const value = encodeURIComponent(text.toWellFormed())
      for (const path of [
        `/m/v2/orders/${value}`,
        `/m/v2/merchant/${value}/orders/count`,
        ...['search', 'recipient_name', 'customer_email'].map(
          (name) => `/m/v2/merchant/${shop.key}/orders/optimize?filter[${name}]=${value}`,
        ),
      ]) {
        const answer = await desk.send('GET', path, { as: shop.member })
        expect([path.slice(0, 80), answer.status < 500]).toEqual([path.slice(0, 80), true])
      }
    }
  })
})

test('a public call takes a quarter of a megabyte, one with a secret a whole one', async () => {
  const body = `{"x":"${'x'.repeat(300_000)}"}`
  const open = ['public', 'application', 'signed-link', 'provider']
  const takesBody = endpoints.filter((endpoint) => endpoint.body !== undefined)
  const isOpen = (endpoint: Endpoint) => open.includes(endpoint.access)
  expect(takesBody.filter(isOpen).length).toBeGreaterThan(10)
  for (const endpoint of takesBody.filter(isOpen)) {
    const [method = '', path = ''] = endpoint.call.split(' ')
    const answer = await desk.send(method, path.replaceAll(/\{\w+\}/g, 'x'), {
      as: applicationCredential,
      body,
    })
    expect([endpoint.call, answer.status, answer.refusal.code]).toEqual([
      endpoint.call,
      413,
      'body_too_large',
    ])
  }
  const guarded = await desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body })
  expect([guarded.status, (await put(body)).status]).toEqual([400, 400])
})
