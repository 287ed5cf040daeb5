import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

test('ACT-001 API-031 a submitted order is accepted, and its history says by whom', async () => {
  const order = await desk.order(shop)
  const accepted = await desk.call('PUT /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: order.id },
    body: { id: order.id, status: 'MERCHANT_ACCEPTED' },
  })
  expect(accepted.status).toBe(200)
  expect(accepted.body.status).toBe('MERCHANT_ACCEPTED')
  const detail = await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id: order.id } })
  expect(detail.body.history[0]).toMatchObject({
    action: 'accept',
    from: 'SUBMITTED',
    to: 'MERCHANT_ACCEPTED',
    actor: expect.stringContaining('user'),
  })
})

test('GAP-108 the second of two clerks gets 409 with the order and the first clerk', async () => {
  const order = await desk.order(shop)
  const accept = (person = shop.member) =>
    desk.call('PUT /m/v2/orders/{id}', {
      as: person,
      params: { id: order.id },
      body: { status: 'MERCHANT_ACCEPTED' },
    })
  const answers = await Promise.all([accept(shop.member), accept(shop.manager), accept(shop.owner)])
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409])
  const loser = answers.find((answer) => answer.status === 409)
  expect(loser?.refusal.code).toBe('invalid_transition')
  expect(loser?.refusal['order']).toMatchObject({ id: order.id, status: 'MERCHANT_ACCEPTED' })
  expect(loser?.refusal['latest']).toMatchObject({ action: 'accept', to: 'MERCHANT_ACCEPTED' })
})
