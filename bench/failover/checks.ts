import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Acknowledged, Desk } from './desk.ts'
import type { Follower } from './ears.ts'
import { until } from './until.ts'

export interface Witnesses {
  readonly cluster: Cluster
  readonly desk: Desk
  readonly webhooks: ReadonlySet<string>
  readonly followers: readonly Follower[]
  /** Events before this one are older than the drill. */
  readonly firstEvent: number
  readonly firstPosition: number
}

const database = 'cellarhand'
const arriveSeconds = 90
const replaysAtOnce = 8
const replaySeconds = 15

/** Acknowledged changes that are not in the database any more. */
async function findLost(cluster: Cluster, all: readonly Acknowledged[]): Promise<string[]> {
  const ids = [...new Set(all.map(({ orderId }) => orderId))]
  const rows = await cluster.query<{ order_id: string; statuses: string[] }>(
    'select order_id, array_agg(to_status) as statuses from order_history where order_id = any($1) group by order_id',
    [ids],
    database,
  )
  const stored = new Map(rows.map((row) => [row.order_id, row.statuses]))
  return all
    .filter(({ orderId, status }) => stored.get(orderId)?.includes(status) !== true)
    .map(({ orderId, status, line }) => `${orderId} ${status} (${line})`)
}

const rules = {
  'orders whose history is not as long as their version': `select count(*)::int as n from orders o
     where version <> (select count(*) from order_history h where h.merchant_id = o.merchant_id and h.order_id = o.order_id)`,
  'counts that differ from the rows': `with counted as (
       select merchant_id, tab, display_group, delivery_method, application_ref, count(*) as n from orders
       group by merchant_id, tab, display_group, delivery_method, application_ref)
     select count(*)::int as n from counted full join order_counts kept
       using (merchant_id, tab, display_group, delivery_method, application_ref)
     where coalesce(counted.n, 0) <> coalesce(kept.n, 0)`,
  'events without a position': 'select count(*)::int as n from outbox where position is null',
  'positions given twice':
    'select (count(position) - count(distinct position))::int as n from outbox where position is not null',
  // No index leads from an order to its events, so they are read once for all orders.
  'changes without an event': `with changed as (
       select order_id, count(*) as n from order_history where order_id = any($1) group by order_id),
     told as (select payload->>'id' as order_id, count(*) as n from outbox where payload->>'id' = any($1) group by 1)
     select count(*)::int as n from changed left join told using (order_id) where changed.n <> coalesce(told.n, 0)`,
}

/** Sentences about what is wrong; empty when all is well. */
export async function findFaults(
  witnesses: Witnesses,
  round: readonly Acknowledged[],
  all: readonly Acknowledged[],
): Promise<{ lost: string[]; faults: string[] }> {
  const { cluster } = witnesses
  const lost = await findLost(cluster, all)
  const faults: string[] = []
  await untilNumbered(cluster)
  const ids = [...new Set(round.map(({ orderId }) => orderId))]
  for (const [what, text] of Object.entries(rules)) {
    const values = text.includes('$1') ? [ids] : []
    const [row] = await cluster.query<{ n: number }>(text, values, database)
    if (row?.n !== 0) faults.push(`${row?.n} ${what}`)
  }
  faults.push(...(await findUnheard(witnesses)), ...(await findOtherReplies(witnesses.desk, round)))
  return { lost, faults }
}

async function untilNumbered(cluster: Cluster): Promise<void> {
  await until('position for each event', arriveSeconds, async () => {
    const text = 'select count(*)::int as n from outbox where position is null'
    const [row] = await cluster.query<{ n: number }>(text, [], database)
    return row?.n === 0
  })
}

async function findUnheard({
  cluster,
  webhooks,
  followers,
  firstEvent,
  firstPosition,
}: Witnesses): Promise<string[]> {
  const events = await cluster.query<{ webhook_id: string; merchant_id: string; position: string }>(
    'select webhook_id, merchant_id, position from outbox where event_id > $1',
    [firstEvent],
    database,
  )
  const own = events.filter(
    ({ merchant_id, position }) => merchant_id === 'demo' && Number(position) > firstPosition,
  )
  const unsent = () => events.filter(({ webhook_id }) => !webhooks.has(webhook_id)).length
  const unseen = () =>
    followers.map(({ seen }) => own.filter(({ position }) => !seen.has(Number(position))).length)
  await until('arrival of all events', arriveSeconds, () => unsent() + Math.max(...unseen()) === 0).catch(
    () => undefined,
  )
  const faults: string[] = []
  if (unsent() > 0) faults.push(`${unsent()} events that no webhook brought`)
  for (const [place, missing] of unseen().entries())
    if (missing > 0) faults.push(`${missing} events that the stream of server ${place + 1} left out`)
  for (const [place, { reloads }] of followers.entries())
    if (reloads > 0) faults.push(`the stream of server ${place + 1} began anew`)
  return faults
}

/** Both replies from a little before the place where they part. */
function difference(entry: Acknowledged, reply: { status: number; text: string } | undefined): string {
  if (reply?.status !== entry.httpStatus)
    return `${entry.httpStatus}, then ${reply === undefined ? 'no answer' : `${reply.status} ${reply.text}`}`
  let at = 0
  while (at < entry.text.length && entry.text[at] === reply.text[at]) at++
  const around = (text: string) => text.slice(Math.max(at - 80, 0), at + 80)
  return `…${around(entry.text)}…, then …${around(reply.text)}…`
}

/** The proxy may lead to the former primary for some seconds more, which answers 503. */
async function sendAgain(desk: Desk, entry: Acknowledged) {
  const until = Date.now() + replaySeconds * 1000
  for (;;) {
    const reply = await desk.send(entry)
    if (reply?.status !== 503 || Date.now() > until) return reply
    await sleep(200)
  }
}

/** The same request with the same key gets the same bytes. */
async function findOtherReplies(desk: Desk, round: readonly Acknowledged[]): Promise<string[]> {
  const others: string[] = []
  const work = round.values()
  const replay = async () => {
    for (const entry of work) {
      const reply = await sendAgain(desk, entry)
      if (reply?.status !== entry.httpStatus || reply.text !== entry.text)
        others.push(`another reply to the same key: ${entry.line}: ${difference(entry, reply)}`)
    }
  }
  await Promise.all(Array.from({ length: replaysAtOnce }, replay))
  return others
}
