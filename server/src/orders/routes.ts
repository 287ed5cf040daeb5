import { acknowledgeAlarms as acknowledgeCall, listAlarms, reportPresence } from '@cellarhand/contract/live'
import {
  acceptOrders as acceptOrdersCall,
  correctAddress as correctAddressCall,
  countOrders,
  followOrders,
  getOrder,
  listOrderFilters,
  listOrders,
  rejectOrder as rejectOrderCall,
  searchOrders,
  updateOrder as updateOrderCall,
  updateOrderByPost,
} from '@cellarhand/contract/orders'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { runCommand } from '#platform/http/idempotency.ts'
import { createCrowd } from '#platform/http/crowd.ts'
import { refuse } from '#platform/http/refuse.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import { alarmState } from './live/alarms.ts'
import { acknowledgeAlarms } from './commands/acknowledge-alarms.ts'
import { acceptOrders } from './commands/accept-orders.ts'
import { correctAddress } from './commands/correct-address.ts'
import { rejectOrder, type Rejection } from './commands/reject-order.ts'
import { updateOrder } from './commands/update-order.ts'
import type { EventStreams } from './live/event-stream.ts'
import { getOrderCounts, getOrderFilters, getOrderPage } from './list/order-page.ts'
import { renewWithinMs, type PresenceDesk } from './live/presence.ts'
import { getOrderDetail } from './document/reads.ts'
import { requireSearch } from './list/search-hits.ts'
import { actorOf } from './document/write-order.ts'

export interface OrderDeps {
  readonly db: Database
  readonly streams: EventStreams
  readonly presence: PresenceDesk
  /** The server's address for this caller, without a path. */
  readonly publicUrl: (request: FastifyRequest) => string
  /** Called after a commit, so that its events are published at once. */
  readonly onChange: () => void
  /** Called after somebody acknowledged alarms. */
  readonly onNoticed: (merchantId: string) => void
}

export function serveOrders(http: Http, deps: OrderDeps): void {
  serveOrderReads(http, deps)
  serveOrderChanges(http, deps)
  serveOrderEvents(http, deps)
  serveLiveDesk(http, deps)
}

function serveOrderReads({ serve }: Http, { db, publicUrl }: OrderDeps): void {
  serve(listOrders, async ({ caller, query, request }) => {
    const address = `${publicUrl(request)}/m/v2/merchant/${caller.merchantId}/orders/optimized`
    return new JsonText(await getOrderPage(db, { merchantId: caller.merchantId, query, address }))
  })
  serve(searchOrders, async ({ caller, query, request }) => {
    requireSearch(query)
    const address = `${publicUrl(request)}/m/v2/merchant/${caller.merchantId}/orders/optimize`
    return new JsonText(await getOrderPage(db, { merchantId: caller.merchantId, query, address }))
  })
  serve(listOrderFilters, async ({ caller }) => getOrderFilters(db, caller.merchantId))
  serve(countOrders, async ({ caller }) => {
    const { counts } = await getOrderCounts(db, caller.merchantId)
    return { counts }
  })
  serve(
    getOrder,
    async ({ caller, params }) => new JsonText(await getOrderDetail(db, caller.merchantId, params.id)),
  )
}

function serveOrderChanges({ serve }: Http, { db, onChange }: OrderDeps): void {
  for (const endpoint of [updateOrderCall, updateOrderByPost]) {
    serve(endpoint, async ({ caller, params, body, idempotent }) => {
      const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
      const reply = await runCommand(
        db,
        { merchantId: caller.merchantId, idempotent },
        async (statements) => ({
          status: 200,
          text: await updateOrder(statements, step, body),
        }),
      )
      onChange()
      return new JsonText(reply.text, reply.status)
    })
  }
  serve(acceptOrdersCall, async ({ caller, body, idempotent }) => {
    const acceptance = { merchantId: caller.merchantId, actor: actorOf(caller) }
    const ids = body.orders.map(({ id }) => id)
    const reply = await runCommand(db, { merchantId: caller.merchantId, idempotent }, async (statements) => ({
      status: 200,
      text: JSON.stringify(await acceptOrders(statements, acceptance, ids)),
    }))
    onChange()
    return new JsonText(reply.text, reply.status)
  })
  serve(correctAddressCall, async ({ caller, params, body, idempotent }) => {
    const { version, ...address } = body
    const { merchantId } = caller
    const step = { merchantId, orderId: params.id, actor: actorOf(caller), seenVersion: version }
    const reply = await runCommand(db, { merchantId, idempotent }, async (statements) => ({
      status: 200,
      text: await correctAddress(statements, step, address),
    }))
    onChange()
    return new JsonText(reply.text, reply.status)
  })
  serve(rejectOrderCall, async ({ caller, params, body, idempotent }) => {
    const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
    const reply = await runCommand(db, { merchantId: caller.merchantId, idempotent }, async (statements) => ({
      status: 200,
      text: await rejectOrder(statements, step, body as Rejection),
    }))
    onChange()
    return new JsonText(reply.text, reply.status)
  })
}

/** More pages than anybody has open, and more than a shop of a hundred people has. */
const streamsOfPerson = 40
const streamsOfMerchant = 1_000

function serveOrderEvents({ serve }: Http, { streams }: OrderDeps): void {
  const join = createCrowd()
  serve(followOrders, async ({ caller, request, reply }) => {
    const rooms = [
      { of: `person ${caller.userId}`, most: streamsOfPerson },
      { of: `merchant ${caller.merchantId}`, most: streamsOfMerchant },
    ]
    if (!join(reply.raw, rooms)) refuse('too_much_at_once')
    const lastId = request.headers['last-event-id']
    reply.hijack()
    const response = reply.raw
    response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    response.socket?.setNoDelay(true)
    const from = typeof lastId === 'string' && /^\d{1,15}$/.test(lastId) ? Number(lastId) : undefined
    await streams.open({ merchantId: caller.merchantId, sessionId: caller.sessionId, response }, from)
    return reply
  })
}

function serveLiveDesk({ serve }: Http, { db, presence, onNoticed }: OrderDeps): void {
  const alarms = alarmState(db)
  serve(listAlarms, async ({ caller: { merchantId } }) => {
    const texts = await alarms.read([merchantId])
    return new JsonText(texts.get(merchantId) ?? '')
  })
  serve(acknowledgeCall, async ({ caller, body }) => {
    const acknowledged = await db.write(caller.merchantId, (statements) =>
      acknowledgeAlarms(statements, caller, body.alarms),
    )
    if (acknowledged > 0) onNoticed(caller.merchantId)
    return { acknowledged }
  })
  serve(reportPresence, async ({ caller, body }) => {
    await presence.report(caller, body)
    return { renew_within_ms: renewWithinMs }
  })
}
