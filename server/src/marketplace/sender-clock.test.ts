import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { anOrder } from '../../test/orders.ts'

const minuteMs = 60_000

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

async function noteOf(id: string) {
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })
  return body.history[0]?.details
}

async function submit(date_submitted: string) {
  return desk.call('POST /marketplace/v1/orders', {
    as: marketplaceCredential,
    body: anOrder(shop.key, { date_submitted }),
  })
}

test.each([
  ['six minutes', 6],
  ['three hours', 180],
])(
  "a sender's clock that is %s ahead costs no order: it counts from now, and its history says what was sent",
  async (_, minutes) => {
    const sent = new Date(Date.now() + minutes * minuteMs).toISOString()
    const before = Date.now()
    const { status, body } = await submit(sent)
    expect(status).toBe(201)
    const submittedMs = Date.parse(body.date_submitted)
    expect(submittedMs).toBeGreaterThanOrEqual(before)
    expect(submittedMs).toBeLessThanOrEqual(Date.now())
    expect(await noteOf(body.id)).toEqual({ date_submitted_as_sent: sent })
  },
)

test('a date of some minutes ago or ahead is kept as it was sent', async () => {
  for (const minutes of [-30, 2]) {
    const sent = new Date(Date.now() + minutes * minuteMs).toISOString()
    const { body } = await submit(sent)
    expect([body.date_submitted, await noteOf(body.id)]).toEqual([sent, null])
  }
})

test('a date that no clock explains is refused', async () => {
  const { status, refusal } = await submit(new Date(Date.now() + 25 * 60 * minuteMs).toISOString())
  expect([status, refusal.errors]).toEqual([400, { date_submitted: 'Must not be in the future' }])
})
