import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startCluster, type Cluster } from '../server/test/database/standbys.ts'
import { anOrder } from '../server/test/orders.ts'
import { openLine, type Line, type Shot } from './rig/line.ts'
import { median, quantile } from './rig/load.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { cpuOf } from './rig/processor.ts'
import { say } from './rig/say.ts'
import { startProcess, type ServerProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

const isQuick = process.argv.includes('--quick')
const orders = isQuick ? 10_000 : 100_000
const seconds = isQuick ? 8 : 20
const rounds = isQuick ? 2 : 3
const connections = 12
/** Well below what the machine can do, so that the standbys are not late for want of a processor. */
const perSecond = 120
const readsPerWrite = 100
const goal = 0.3
const merchantId = 'demo'

interface Round {
  readonly primary: number
  readonly standbys: number
  readonly server: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
  /** Milliseconds of the primary's processor for one request. */
  readonly each: number
}

/** What screens ask for: pages that nobody asked for yet, pages asked for again, orders, counts, searches, papers. */
function createMix(token: string, ids: readonly string[]): () => Shot {
  const headers = { authorization: `Bearer ${token}` }
  const base = `/m/v2/merchant/${merchantId}`
  const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
  const page = (query: string) => `${base}/orders/optimized?${query}`
  const reads: readonly (readonly [share: number, path: () => string])[] = [
    [20, () => page('filter[tab]=active&sort[due]=asc')],
    [15, () => page('filter[tab]=active')],
    [15, () => page(`filter[tab]=completed&offset=${30 * Math.floor(Math.random() * 50)}`)],
    [25, () => `/m/v2/orders/${any(ids)}`],
    [5, () => `${base}/orders/count`],
    [5, () => `${base}/orders/queue`],
    [6, () => `${base}/orders/optimize?limit=10&offset=0&filter[search]=${any(ids).slice(0, 6)}`],
    [
      6,
      () =>
        `${base}/orders/optimize?limit=10&offset=0&filter[recipient_name]=${any(['haddad', 'zoe', 'rossi'])}`,
    ],
    [3, () => `${base}/orders/${any(ids)}/reports/receipt`],
  ]
  const drawn = reads.flatMap(([share, path]) => Array.from({ length: share }, () => path))
  let asked = 0
  return () => {
    if (asked++ % (readsPerWrite + 1) === 0)
      return {
        method: 'POST',
        path: '/marketplace/v1/orders',
        headers: { authorization: `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}` },
        body: JSON.stringify(anOrder(merchantId)),
      }
    return { path: any(drawn)(), headers }
  }
}

/** At a fixed rate: each connection takes the next request when its time has come. */
async function runMix(cluster: Cluster, server: ServerProcess, next: () => Shot): Promise<Round> {
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(server.origin)))
  const times: number[] = []
  let failures = 0
  let begun = 0
  const pids = () => [
    cluster.primaryProcesses(),
    cluster.standbys.flatMap((standby) => standby.processes()),
    [server.process.pid ?? 0],
  ]
  const before = pids().map(cpuOf)
  const start = performance.now()
  const worker = async (line: Line) => {
    for (let place = begun++; place < seconds * perSecond; place = begun++) {
      const wait = start + (place * 1000) / perSecond - performance.now()
      if (wait > 0) await sleep(wait)
      const sent = performance.now()
      const status = await line.shoot(next())
      times.push(performance.now() - sent)
      if (status >= 400) failures++
    }
  }
  await Promise.all(lines.map(worker))
  const [primary = 0, standbys = 0, own = 0] = pids().map((some, index) => cpuOf(some) - (before[index] ?? 0))
  for (const line of lines) line.close()
  times.sort((a, b) => a - b)
  return {
    primary,
    standbys,
    server: own,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failures,
    each: (primary * 1000) / times.length,
  }
}

interface Measured {
  readonly rounds: readonly Round[]
  /** Seconds of the primary's processor in the same time without a request: the server's own background work. */
  readonly atRest: number
  readonly figures: readonly string[]
}

/** One server alone on the database, since a second one would add its background work. */
async function measureServer(
  cluster: Cluster,
  environment: Record<string, string>,
  ids: readonly string[],
): Promise<Measured> {
  const server = await startServer(cluster, environment)
  try {
    const next = createMix(await signIn(server.origin, 'owner@demo.test'), ids)
    // A first round does not count, because the code is still being compiled.
    await runMix(cluster, server, next)
    const all: Round[] = []
    while (all.length < rounds) all.push(await runMix(cluster, server, next))
    const before = cpuOf(cluster.primaryProcesses())
    await sleep(seconds * 1000)
    const atRest = cpuOf(cluster.primaryProcesses()) - before
    const figures = [
      ...(await figuresOf(server, 'cellarhand_reads_total')),
      ...(await figuresOf(server, 'cellarhand_standby_passed_over_total')),
    ]
    return { rounds: all, atRest, figures }
  } finally {
    await server.stop()
  }
}

async function startServer({ url }: Cluster, environment: Record<string, string>): Promise<ServerProcess> {
  return startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1', ...environment }, '/readyz')
}

async function figuresOf({ origin }: ServerProcess, name: string): Promise<string[]> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return text.split('\n').filter((line) => line.startsWith(name))
}

function sayMeasured(title: string, { rounds: all, atRest }: Measured): number {
  const of = (key: keyof Round) => median(all.map((round) => round[key]))
  const failures = all.reduce((sum, round) => sum + round.failures, 0)
  say(
    `  ${title.padEnd(22)} primary ${of('each').toFixed(3)} ms of processor a request (${of('primary').toFixed(2)} s in ${seconds} s, ${atRest.toFixed(2)} at rest)` +
      `  standbys ${of('standbys').toFixed(2)} s  server ${of('server').toFixed(2)} s  p50 ${of('p50').toFixed(1)} ms  p99 ${of('p99').toFixed(1)} ms` +
      (failures === 0 ? '' : `  ${failures} FAILED`),
  )
  return of('each')
}

async function fill({ url }: Cluster): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, options: '-c statement_timeout=0', max: 1 })
  await floodMerchant(pool, merchantId, { merchantId, orders, firstNumber: 5_000_000 })
  await pool.query('vacuum analyze')
  await pool.end()
}

async function main(): Promise<void> {
  const cluster = await startCluster(2)
  try {
    // It makes the demo.
    await (await startServer(cluster, {})).stop()
    const { rows } = await cluster.owner.query<{ id: string }>(
      `select order_id as id from orders where merchant_id = $1 and status <> 'SUBMITTED'`,
      [merchantId],
    )
    await fill(cluster)
    const ids = rows.map(({ id }) => id)
    const without = await measureServer(cluster, {}, ids)
    const urls = cluster.standbys.map(({ url }) => url).join(' ')
    const beside = await measureServer(cluster, { READ_URLS: urls }, ids)
    say(
      `${orders} orders, ${perSecond} requests a second, ${readsPerWrite} reads to 1 write, medians of ${rounds} rounds of ${seconds} s:`,
    )
    const alone = sayMeasured('without standbys', without)
    const relieved = sayMeasured('reads on two standbys', beside)
    const ratio = relieved / alone
    say(
      `  the primary's processor: x${ratio.toFixed(2)} (goal: at most ${goal}: ${ratio <= goal ? 'met' : 'NOT MET'})`,
    )
    for (const line of beside.figures) say(`  ${line}`)
  } finally {
    await cluster.stop()
  }
}

await main()
