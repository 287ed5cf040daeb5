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
import { orderIn } from '../../../test/order-steps.ts'
import { randomRequest, seeded } from '../../../test/random-requests.ts'
import { checkReply } from '../../../test/reply-check.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 3000)

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

/** Ends sessions or never ends; both have tests of their own. */
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
    'order_search',
    'outbox',
    'applications',
    'idempotent_replies',
    'merchants',
  ]
  const { rows } = await desk.owner.query<{ sum: string }>(
    tables
      .map((table) => {
        // Publishing gives an event its position later; that is no change of what is stored.
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

test(`${requests} requests in which something is wrong: never a 5xx, always an answer of the contract, and a refusal changes nothing`, async () => {
  const random = seeded(seed)
  const targets = endpoints.filter(({ call }) => !left.includes(call) && !desk.app.unserved.includes(call))
  const problems: object[] = []
  const told = { taken: 0, refused: 0 }
  let stored = await everythingStored()
  let refusedSince: object[] = []
  for (let count = 0; count < requests; count++) {
    const endpoint = targets[count % targets.length]
    if (endpoint === undefined) break
    const { path, body } = randomRequest(
      endpoint,
      random,
      endpoint.call.includes('/users/') ? { ...known, id: [shop.owner.id] } : known,
    )
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
    if (method !== 'GET' && !isRefused) {
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
  // Neither all right nor all wrong, or it would try nothing.
  expect(Math.min(told.taken, told.refused)).toBeGreaterThan(requests / 20)
})

test('nothing of another merchant was touched, or shown', async () => {
  const { rows } = await desk.owner.query(
    'select count(*)::int as n from order_history where merchant_id = $1',
    [other.key],
  )
  expect(rows).toEqual([{ n: 2 }])
})
