import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { anItem, anOrder } from '../server/test/orders.ts'
import { databaseProcesses, familyOf } from '../server/test/processes/family.ts'
import { wholeNumber } from './rig/end.ts'
import { marketplace } from './rig/fair-attacks.ts'
import { quantile } from './rig/load.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { cpuOf } from './rig/processor.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

// What one order takes of the machines from the marketplace's call to the door, with the screens of the shop beside:
// processor, disk and write-ahead log. `docs/sizing.md` multiplies it.
const isQuick = process.argv.includes('--quick')
const at = process.argv.indexOf('--rate')
const perSecond = at < 0 ? 8 : wholeNumber('The rate', process.argv[at + 1] ?? '')
const seconds = isQuick ? 10 : 60
const warmSeconds = isQuick ? 3 : 10
/** Of the shop, all live: each reads an order anew when it has changed. */
const screens = 3
const ordersBefore = isQuick ? 10_000 : 100_000
const merchantId = 'demo'
const json = { 'content-type': 'application/json' }

interface Place {
  readonly origin: string
  readonly clerk: Record<string, string>
}

interface Told {
  readonly times: number[]
  failures: number
}

/** A parcel of three bottles: taken, looked at, accepted, its slip printed, shipped, delivered. */
async function liveOrder({ origin, clerk }: Place, told: Told): Promise<void> {
  const ask = async (
    path: string,
    shot: { method?: 'PUT' | 'POST'; as?: Record<string, string>; body?: unknown },
  ) => {
    const sent = performance.now()
    const reply = await fetch(`${origin}${path}`, {
      method: shot.method ?? 'GET',
      headers: { ...json, ...(shot.as ?? clerk) },
      ...(shot.body === undefined ? {} : { body: JSON.stringify(shot.body) }),
    })
    const text = await reply.text()
    told.times.push(performance.now() - sent)
    if (!reply.ok) told.failures += 1
    return text
  }
  const items = ['one', 'two', 'three'].map((name) => anItem({ id: name }))
  const made = await ask('/marketplace/v1/orders', {
    method: 'POST',
    as: marketplace,
    body: anOrder(merchantId, { items }),
  })
  const order = `/m/v2/orders/${(JSON.parse(made) as { id: string }).id}`
  const id = order.slice(order.lastIndexOf('/') + 1)
  const seen = async () => {
    for (let screen = 0; screen < screens; screen++) await ask(order, {})
  }
  const change = async (body: unknown) => {
    await ask(order, { method: 'PUT', body })
    await seen()
  }
  await seen()
  await ask(
    `/m/v2/merchant/${merchantId}/orders/optimized?limit=30&offset=0&filter[tab]=active&sort[due]=asc`,
    {},
  )
  await change({ status: 'MERCHANT_ACCEPTED' })
  await ask(`/m/v2/merchant/${merchantId}/orders/${id}/reports/packingslip`, {})
  await change({
    status: 'MERCHANT_SHIPPED',
    order: { tracking_provider: 'UPS', tracking_id: `1Z${id}` },
  })
  await ask(`/marketplace/v1/orders/${id}/carrier_events`, {
    method: 'POST',
    as: marketplace,
    body: { tracking_code: `1Z${id}`, event: 'delivered' },
  })
  await seen()
}

/** One order after the other at the rate, whether the one before has ended or not; resolves when all have ended. */
async function liveFor(place: Place, forSeconds: number): Promise<Told & { orders: number }> {
  const told: Told = { times: [], failures: 0 }
  const lives: Promise<void>[] = []
  const start = performance.now()
  for (let order = 0; order < perSecond * forSeconds; order++) {
    await sleep(Math.max(0, start + (order * 1000) / perSecond - performance.now()))
    lives.push(liveOrder(place, told))
  }
  await Promise.all(lives)
  return { ...told, orders: lives.length }
}

interface Used {
  readonly server: number
  readonly database: number
  readonly log: number
  readonly disk: number
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  const pool = new pg.Pool({ connectionString: url, max: 1, options: '-c statement_timeout=0' })
  const used = async (): Promise<Used> => {
    const { rows } = await pool.query<{ log: string; disk: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as log, pg_database_size(current_database()) as disk`,
    )
    return {
      server: cpuOf(familyOf(app.process.pid ?? 0)),
      database: cpuOf(databaseProcesses(postgres.dataDir)),
      log: Number(rows[0]?.log),
      disk: Number(rows[0]?.disk),
    }
  }
  try {
    await floodMerchant(pool, merchantId, { merchantId, orders: ordersBefore, firstNumber: 20_000_000 })
    await pool.query('vacuum analyze')
    const clerk = { authorization: `Bearer ${await signIn(app.origin, 'owner@demo.test')}` }
    const place = { origin: app.origin, clerk }
    const streams = new AbortController()
    for (let screen = 0; screen < screens; screen++) void listen(place, streams.signal).catch(() => undefined)
    await liveFor(place, warmSeconds)
    const atRest = await used()
    await sleep(seconds * 1000)
    const before = await used()
    const { times, failures, orders } = await liveFor(place, seconds)
    const after = await used()
    streams.abort()
    // What both do without an order.
    const own = (name: 'server' | 'database') => before[name] - atRest[name]
    const each = (name: 'server' | 'database') =>
      ((1000 * (after[name] - before[name] - own(name))) / orders).toFixed(1)
    const kB = (name: 'log' | 'disk') => ((after[name] - before[name]) / orders / 1024).toFixed(1)
    times.sort((one, other) => one - other)
    say(
      `${orders} orders, ${perSecond} a second, from the marketplace's call to the door, ${screens} screens beside:`,
    )
    say(
      `  processor for an order: server with its papers ${each('server')} ms, database ${each('database')} ms`,
    )
    say(`  at rest, of one core: server ${share(own('server'))}, database ${share(own('database'))}`)
    say(`  write-ahead log ${kB('log')} kB an order, disk ${kB('disk')} kB an order with its indexes`)
    say(
      `  ${(times.length / orders).toFixed(0)} calls an order, p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, ${failures} failed`,
    )
    if (failures > 0) process.exitCode = 1
  } finally {
    await pool.end()
    await app.stop()
    await postgres.stop()
  }
}

function share(ofSeconds: number): string {
  return `${((100 * ofSeconds) / seconds).toFixed(1)} %`
}

/** A screen's stream; what it is told is thrown away. */
async function listen({ origin, clerk }: Place, signal: AbortSignal): Promise<void> {
  const reply = await fetch(`${origin}/m/v2/merchant/${merchantId}/events`, { headers: clerk, signal })
  await reply.body?.pipeTo(new WritableStream()).catch(() => undefined)
}

await main()
