import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@cellarhand/contract/endpoint'
import { endpoints } from '@cellarhand/contract/endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  type Answer,
  type Desk,
  type Shop,
} from '../../../test/desk.ts'
import { anItem, anOrder } from '../../../test/orders.ts'
import { orderIn } from '../../../test/order-steps.ts'
import {
  hostileTexts,
  oddValues,
  randomRequest,
  seeded,
  variationsOf,
} from '../../../test/random-requests.ts'
import { checkReply } from '../../../test/reply-check.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 2000)

let desk: Desk
let shop: Shop
let other: Shop
let known: Record<string, string[]>
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  other = await desk.openShop()
  await orderIn(desk, other, { status: 'MERCHANT_ACCEPTED' })
  const statuses = [
    'SUBMITTED',
    'MERCHANT_ACCEPTED',
    'MERCHANT_SHIPPED',
    'REJECTED_PARTIAL',
    'CLOSED',
  ] as const
  const orders = await Promise.all(
    [...statuses, ...statuses].map(async (status, index) =>
      orderIn(desk, shop, { status, method: index < statuses.length ? 'shipped' : 'on_demand' }),
    ),
  )
  known = {
    tmk: [shop.key],
    id: orders.map(({ id }) => id),
    name: ['welcome_message', 'x.pdf'],
    batch_id: ['b-1'],
  }
})
afterAll(async () => desk.stop())

/** Valid bodies for calls that random bodies would hardly ever match. */
function bodiesOf(call: string): unknown[] {
  if (call === 'POST /marketplace/v1/orders')
    return [{ ...wholeOrder(), thirstie_logistic_order_ref: randomUUID() }]
  if (call.endsWith('/orders/{id}') && !call.startsWith('GET'))
    return [
      { status: 'MERCHANT_ACCEPTED' },
      {
        status: 'MERCHANT_SHIPPED',
        order: {
          tracking_provider: 'OTHER',
          tracking_id: '1',
          tracking_url: 'https://x.example',
          other_tracking_provider: 'X',
        },
      },
      {
        status: 'REJECTED_PARTIAL',
        order: { rejection_message: '{"outOfStock":{"p-1":{"checked":true,"reason":"x"}}}' },
      },
      {
        status: 'CLOSED',
        delivery_info: { delivered_on: new Date().toISOString(), signed_by: 'A', delivered_by: 'B' },
      },
    ]
  if (call.endsWith('/reject'))
    return [{ status: 'MERCHANT_REJECTED', reason: { code: 'other', value: 'x' }, rejection_message: null }]
  if (call.endsWith('/status'))
    return ['PAYMENT_SUBMITTED', 'CANCELLED', 'REFUNDED'].map((status) => ({ status, comment: 'x' }))
  if (call.endsWith('/data') && call.startsWith('POST /m/'))
    return [{ delivered_on: new Date().toISOString(), signed_by: 'A' }]
  if (call.endsWith('/carrier_events'))
    return [{ tracking_code: '1Z999', event: 'in_transit', at: '2026-11-20T10:00:00Z' }]
  return []
}

const wholeRef = 'whole-order'

function wholeOrder() {
  const item = anItem({
    aux_data: { engraving_message: ['A'], preorder_type: 'x', preorder_available_date: '2026-12-01' },
  })
  return {
    ...anOrder(shop.key, { items: [item], thirstie_logistic_order_ref: wholeRef }),
    date_submitted: '2026-11-19T10:00:00Z',
    delivery: {
      method: 'scheduled',
      date: '2026-11-24',
      window: ['2026-11-24T18:00:00Z', '2026-11-24T20:00:00Z'],
    },
    gift_message: { message: 'Hi' },
    courier_estimate_id: 'e',
    order_weight: 1,
  }
}

/** One ends sessions, one never ends; both have their own tests. */
const left = ['POST /a/v2/logout', 'GET /m/v2/merchant/{tmk}/events']

function credentialFor({ access }: Endpoint): string {
  if (access === 'application') return applicationCredential
  return access === 'marketplace' ? marketplaceCredential : `Bearer ${shop.owner.token}`
}

async function everythingStored(): Promise<string> {
  const tables = [
    'orders',
    'order_history',
    'order_counts',
    'order_keys',
    'order_search',
    'outbox',
    'applications',
    'idempotent_replies',
    'merchants',
  ]
  const { rows } = await desk.owner.query<{ sum: string }>(
    tables
      .map((table) => {
        // The publisher gives an event its position later; that is no change of a stored fact.
        const row = table === 'outbox' ? "to_jsonb(t) - 'position' - 'webhook_due_at'" : 'to_jsonb(t)'
        return `select '${table} ' || count(*) || ' ' || coalesce(md5(string_agg((${row})::text, '' order by (${row})::text)), '') as sum from ${table} t`
      })
      .join(' union all '),
  )
  return rows.map(({ sum }) => sum).join('\n')
}

function problemOf(endpoint: Endpoint, answer: Answer<unknown>): string | undefined {
  if (answer.status >= 500 && answer.status !== 501) return `${answer.status} ${answer.text.slice(0, 200)}`
  try {
    if (endpoint.media === 'application/json' || answer.status >= 400) checkReply(endpoint.call, answer)
    return undefined
  } catch (error) {
    return String(error).slice(0, 400)
  }
}

test(
  `${requests} faulty requests: never a 5xx, always an answer of the contract, and a refusal changes nothing`,
  { timeout: 120_000 },
  async () => {
    const random = seeded(seed)
    const targets = endpoints.filter(({ call }) => !left.includes(call) && !desk.app.unserved.includes(call))
    const problems: object[] = []
    const told = { taken: 0, refused: 0 }
    let stored = await everythingStored()
    let refusedSince: object[] = []
    for (let count = 0; count < requests; count++) {
      const endpoint = targets[count % targets.length]
      if (endpoint === undefined) break
      const params = endpoint.call.includes('/users/') ? { ...known, id: [shop.owner.id] } : known
      const { path, body } = randomRequest(endpoint, random, { params, bodies: bodiesOf(endpoint.call) })
      const [method = ''] = endpoint.call.split(' ')
      const answer = await desk.send(method, path, {
        as: credentialFor(endpoint),
        ...(body === undefined ? {} : { body }),
      })
      const problem = problemOf(endpoint, answer)
      if (problem !== undefined) problems.push({ method, path, body: body?.slice(0, 600), problem })
      const isRefused = answer.status >= 400
      told[isRefused ? 'refused' : 'taken']++
      if (isRefused) refusedSince.push({ method, path, body: body?.slice(0, 600), status: answer.status })
      // Reading the payment account stores the provider's answer; the first slip marks its order as printed.
      const mayStore = method !== 'GET' || /\/(stripe|packingslip)$/.test(endpoint.call)
      if (mayStore && !isRefused) {
        stored = await everythingStored()
        refusedSince = []
      } else if (refusedSince.length >= 40) {
        const now = await everythingStored()
        if (now !== stored) problems.push({ changedBy: refusedSince })
        stored = now
        refusedSince = []
      }
    }
    expect(problems.slice(0, 3)).toEqual([])
    // A test in which all requests pass, or none, would prove nothing.
    expect(Math.min(told.taken, told.refused)).toBeGreaterThan(requests / 20)
  },
)

test(
  'an order with any one hostile value is stored or refused, by the contract',
  { timeout: 120_000 },
  async () => {
    const waiting = variationsOf(wholeOrder(), [
      ...hostileTexts.filter((text) => /^$|\0|\ud800|🍷|__proto__|\d{4}-|xxx/u.test(text)),
      ...oddValues.filter((_value, index) => index % 2 === 0),
    ])
    const told: Record<number, number> = {}
    let count = 0
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (const body of waiting) {
          const { thirstie_logistic_order_ref: ref } = body as { thirstie_logistic_order_ref: unknown }
          const own =
            ref === wholeRef ? { ...(body as object), thirstie_logistic_order_ref: `whole-${++count}` } : body
          const { status } = await desk.call('POST /marketplace/v1/orders', {
            as: marketplaceCredential,
            body: own,
          })
          told[status] = (told[status] ?? 0) + 1
        }
      }),
    )
    expect(told[201]).toBeGreaterThan(100)
    expect(told[400]).toBeGreaterThan(100)
  },
)

test('nothing of another merchant was changed or shown', async () => {
  const { rows } = await desk.owner.query(
    'select count(*)::int as n from order_history where merchant_id = $1',
    [other.key],
  )
  expect(rows).toEqual([{ n: 2 }])
})
