import type { OrderQuery } from '@cellarhand/contract/order-query'
import * as liveLines from '@cellarhand/contract/live'
import * as dutyLines from '@cellarhand/contract/order-duties'
import * as lines from '@cellarhand/contract/orders'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { createCommands } from '#platform/http/command.ts'
import { createCrowd } from '#platform/http/crowd.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import { getAlarmRules, saveAlarmRules } from './live/alarm-rules.ts'
import { alarmState } from './live/alarms.ts'
import { askOwner, type OwnerMail } from './commands/ask-owner.ts'
import { acknowledgeAlarms } from './commands/acknowledge-alarms.ts'
import { acceptOrders } from './commands/accept-orders.ts'
import { correctAddress } from './commands/correct-address.ts'
import { keepOrderHeld } from './commands/keep-order-held.ts'
import { letOrderPass } from './commands/let-order-pass.ts'
import { rejectOrder, type Rejection } from './commands/reject-order.ts'
import { letOrderGo, letOrdersGo, takeOrder, takeOrders } from './commands/take-order.ts'
import { takeBottlesBack, undoCameBack } from './commands/take-bottles-back.ts'
import { updateOrder } from './commands/update-order.ts'
import type { EventStreams } from './live/event-stream.ts'
import { getOrderCounts, getOrderFilters, getOrderPage, type OrderList } from './list/order-page.ts'
import { getQueue } from './list/order-queue.ts'
import { renewWithinMs, type PresenceDesk } from './live/presence.ts'
import { stepOf } from './document/merchant-step.ts'
import { getOrderDetail, getOrderDuties } from './document/reads.ts'
import { ordersBeside } from './list/orders-beside.ts'
import { requireSearch } from './list/search-hits.ts'
import { actorOf } from './document/write-order.ts'

export interface OrderDeps {
  readonly db: Database
  readonly list: OrderList
  readonly streams: EventStreams
  readonly presence: PresenceDesk
  /** The server's address for this caller, without a path. */
  readonly publicUrl: (request: FastifyRequest) => string
  /** Seals what a rule makes the shop record of an ID. */
  readonly checkFields: Pick<Sealer, 'seal'>
  /** Called after a commit, so that its events are published at once. */
  readonly onChange: () => void
  /** How owners are told of a clerk's question; `onMail` is called after one. */
  readonly mail: OwnerMail & { readonly onMail: () => void }
  /** Called after somebody acknowledged alarms or changed their rules. */
  readonly onNoticed: (merchantId: string) => void
}

export function serveOrders(http: Http, deps: OrderDeps): void {
  serveOrderReads(http, deps)
  serveOrderChanges(http, deps)
  serveOrderEvents(http, deps)
  serveLiveDesk(http, deps)
}

/** `me` as the caller's own id: the answer of a page is kept for all who ask the same. */
function withOwnId(query: OrderQuery, { userId }: Staff): OrderQuery {
  return query['filter[taken_by]'] === 'me' ? { ...query, 'filter[taken_by]': userId } : query
}

function serveOrderReads({ serve }: Http, { db, list, publicUrl }: OrderDeps): void {
  serve(lines.listOrders, async ({ caller, query, request }) => {
    const address = `${publicUrl(request)}/m/v2/merchant/${caller.merchantId}/orders/optimized`
    return new JsonText(
      await getOrderPage(list, { merchantId: caller.merchantId, query: withOwnId(query, caller), address }),
    )
  })
  serve(lines.searchOrders, async ({ caller, query, request }) => {
    requireSearch(query)
    const address = `${publicUrl(request)}/m/v2/merchant/${caller.merchantId}/orders/optimize`
    return new JsonText(
      await getOrderPage(list, { merchantId: caller.merchantId, query: withOwnId(query, caller), address }),
    )
  })
  serve(lines.listOrderFilters, async ({ caller }) => getOrderFilters(list, caller.merchantId))
  serve(lines.countOrders, async ({ caller }) => getOrderCounts(list, caller.merchantId))
  serve(liveLines.getQueue, async ({ caller }) => (await getQueue(list, caller.merchantId)).told)
  serve(liveLines.getOrdersBeside, ({ caller, params }) => ordersBeside(db, caller.merchantId, params.id))
  serve(
    lines.getOrder,
    async ({ caller, params }) => new JsonText(await getOrderDetail(db, caller.merchantId, params.id)),
  )
  serve(dutyLines.getOrderDuties, ({ caller, params }) => getOrderDuties(db, caller.merchantId, params.id))
}

function serveOrderChanges(http: Http, deps: OrderDeps): void {
  const { command } = createCommands(http, deps)
  for (const line of [lines.updateOrder, lines.updateOrderByPost])
    command(line, (statements, call) =>
      updateOrder(statements, { ...stepOf(call), checkFields: deps.checkFields }, call.body),
    )
  command(lines.acceptOrders, (statements, { caller, merchantId, body }) => {
    const ids = body.orders.map(({ id }) => id)
    return acceptOrders(statements, { merchantId, actor: actorOf(caller) }, ids)
  })
  command(lines.correctAddress, (statements, call) => {
    const { version, ...address } = call.body
    return correctAddress(statements, { ...stepOf(call), seenVersion: version }, address)
  })
  command(liveLines.takeBottlesBack, (statements, call) =>
    takeBottlesBack(statements, { ...stepOf(call), seenVersion: call.body.version }, call.body),
  )
  command(liveLines.undoCameBack, (statements, call) =>
    undoCameBack(statements, { ...stepOf(call), seenVersion: call.body.version }),
  )
  command(dutyLines.letOrderPass, (statements, call) => {
    const { version, ...duty } = call.body
    return letOrderPass(statements, { ...stepOf(call), seenVersion: version }, duty)
  })
  command(dutyLines.keepOrderHeld, (statements, call) => {
    const { version, ...answer } = call.body
    return keepOrderHeld(statements, { ...stepOf(call), seenVersion: version }, answer)
  })
  const asking = createCommands(http, {
    db: deps.db,
    onChange() {
      deps.onChange()
      deps.mail.onMail()
    },
  })
  asking.command(dutyLines.askOwner, (statements, call) => {
    const { version, ...question } = call.body
    return askOwner(statements, { ...stepOf(call), seenVersion: version, mail: deps.mail }, question)
  })
  command(liveLines.takeOrder, (statements, call) => takeOrder(statements, stepOf(call), call.body))
  command(liveLines.letOrderGo, (statements, call) => letOrderGo(statements, stepOf(call)))
  const ofBody = (orders: readonly { id: string }[]) => orders.map(({ id }) => id)
  command(liveLines.takeOrders, (statements, { caller, merchantId, body }) =>
    takeOrders(statements, { merchantId, actor: actorOf(caller) }, ofBody(body.orders)),
  )
  command(liveLines.letOrdersGo, (statements, { caller, merchantId, body }) =>
    letOrdersGo(statements, { merchantId, actor: actorOf(caller) }, ofBody(body.orders)),
  )
  command(lines.rejectOrder, (statements, call) =>
    rejectOrder(statements, stepOf(call), call.body as Rejection),
  )
}

/** More pages than anybody has open, and more than a shop of a hundred people has. */
const streamsOfPerson = 40
const streamsOfMerchant = 1_000

function serveOrderEvents({ serve }: Http, { streams }: OrderDeps): void {
  const join = createCrowd()
  serve(lines.followOrders, async ({ caller, request, reply }) => {
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

function serveLiveDesk(http: Http, { db, presence, onNoticed }: OrderDeps): void {
  const { serve } = http
  const alarms = alarmState(db)
  serve(liveLines.listAlarms, async ({ caller: { merchantId } }) => {
    const texts = await alarms.read([merchantId])
    return new JsonText(texts.get(merchantId) ?? '')
  })
  serve(liveLines.getAlarmRules, ({ caller: { merchantId } }) =>
    db.read(merchantId, (statements) => getAlarmRules(statements, merchantId)),
  )
  const { command } = createCommands(http, { db, onChange: onNoticed })
  command(liveLines.updateAlarmRules, (statements, { merchantId, body }) =>
    saveAlarmRules(statements, merchantId, body),
  )
  command(liveLines.acknowledgeAlarms, async (statements, { caller, body }) => ({
    acknowledged: await acknowledgeAlarms(statements, caller, body.alarms),
  }))
  serve(liveLines.reportPresence, async ({ caller, body }) => {
    await presence.report(caller, body)
    return { renew_within_ms: renewWithinMs }
  })
}
