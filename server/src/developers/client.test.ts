import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, type Client, type ClientOptions } from '@cellarhand/client'
import { CallFailed } from '@cellarhand/client/call-failed'
import type { NewOrder } from '@cellarhand/client/types'
import { sendTo, type WireReply, type WireRequest } from '@cellarhand/client/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientSource } from '../../test/client-source.ts'
import { openDesk, password, type Desk, type Shop } from '../../test/desk.ts'
import { anOrder } from '../../test/orders.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(() => desk.stop())

const marketplaceOf = (changes: Partial<ClientOptions> = {}): Client =>
  createClient({ send: sendTo(desk.url), as: { basic: 'marketplace:marketplace' }, ...changes })
const newOrder = (changes: Partial<NewOrder> = {}): NewOrder => anOrder(shop.key, changes)
const failureOf = async (call: Promise<unknown>): Promise<CallFailed> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded')),
    (error: unknown) => error as CallFailed,
  )

test('the client is the one that the contract makes; renew it with vitest -u', async () => {
  await expect(clientSource()).toMatchFileSnapshot('../../../client/src/generated.ts')
})

test('GAP-29 a program of the marketplace and one of the shop take an order through its life', async () => {
  const marketplace = marketplaceOf()
  const app = createClient({ send: sendTo(desk.url), as: { basic: 'dashboard:dashboard' } })
  const { token } = await app.signIn({ body: { email: shop.member.email, password } })
  const clerk = createClient({ send: sendTo(desk.url), as: { bearer: token } })
  const { id } = await marketplace.createOrder({ body: newOrder() })
  await clerk.updateOrder({ params: { id }, body: { status: 'MERCHANT_ACCEPTED' } })
  const tracking = { tracking_provider: 'UPS', tracking_id: '1Z999AA10123456784' }
  await clerk.updateOrder({ params: { id }, body: { status: 'MERCHANT_SHIPPED', order: tracking } })
  await marketplace.reportCarrierEvent({
    params: { id },
    body: { tracking_code: tracking.tracking_id, event: 'delivered' },
  })
  expect((await marketplace.readOrder({ params: { id } })).status).toBe('CLOSED')
  const { orders } = await marketplace.listMarketplaceOrders({ query: { merchant: shop.key } })
  expect(orders.map((order) => order.id)).toContain(id)
  await clerk.signOut()
  expect((await failureOf(clerk.getOrder({ params: { id } }))).code).toBe('unauthorized')
})

test('a refusal says which call failed, why, and under which id the log has it', async () => {
  const marketplace = marketplaceOf()
  const body = newOrder()
  const { id } = await marketplace.createOrder({ body })
  const failed = await failureOf(marketplace.createOrder({ body }))
  expect(failed).toBeInstanceOf(CallFailed)
  expect([failed.status, failed.code, failed.problem['order']]).toMatchObject([
    409,
    'duplicate_order',
    { id },
  ])
  expect(failed.problem.instance).toBe(failed.requestId)
  expect(failed.message).toContain(`createOrder answered 409 duplicate_order`)
  expect(failed.message).toContain(`(request ${failed.requestId})`)
  const invalid = await failureOf(marketplace.createOrder({ body: { ...body, items: [] } }))
  expect(invalid.message).toContain('"items"')
})

test('an order whose answer is lost on the way is sent again under the same key, and stored once', async () => {
  const keys: (string | undefined)[] = []
  const direct = sendTo(desk.url)
  const losesTheFirst = async (request: WireRequest): Promise<WireReply> => {
    keys.push(request.headers['idempotency-key'])
    const reply = await direct(request)
    if (keys.length === 1) throw new Error('socket hang up')
    return reply
  }
  const troubles: string[] = []
  const marketplace = marketplaceOf({ send: losesTheFirst, onTrouble: (reason) => troubles.push(reason) })
  const body = newOrder()
  const { id } = await marketplace.createOrder({ body })
  const { orders } = await marketplace.listMarketplaceOrders({
    query: { ref: body.thirstie_logistic_order_ref },
  })
  expect(orders.map((order) => order.id)).toEqual([id])
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  expect(troubles).toEqual(['no answer (socket hang up)'])
})

test('the client repeats neither a refusal nor a call that it cannot repeat safely, and gives up after its tries', async () => {
  let calls = 0
  let status = 503
  const busy = http.createServer((_request, response) => {
    calls++
    response.writeHead(status, { 'content-type': 'text/html' }).end('<p>Away</p>')
  })
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  const send = sendTo(`http://127.0.0.1:${(busy.address() as AddressInfo).port}`)
  const marketplace = marketplaceOf({ send, tries: 2 })
  const failed = await failureOf(marketplace.readWebhook())
  expect([failed.status, failed.code, calls]).toEqual([503, '', 2])
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  await failureOf(marketplace.registerWebhook({ body: { url: 'https://example.com', secret } }))
  expect(calls).toBe(3)
  status = 400
  await failureOf(marketplace.readWebhook())
  expect(calls).toBe(4)
  busy.closeAllConnections()
  busy.close()
})
