import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCluster, type Cluster } from '../../server/test/database/standbys.ts'
import { anOrder } from '../../server/test/orders.ts'
import { seeded } from '../../server/test/random-requests.ts'
import { marketplace } from '../rig/fair-attacks.ts'
import { quantile } from '../rig/load.ts'
import { say } from '../rig/say.ts'
import { startProcess, type ServerProcess } from '../rig/servers.ts'
import { signIn } from '../rig/sign-in.ts'

// Two servers read on two hot standbys, and in each round something happens to these. No read may fail, and none may
// be older than what was answered before it began.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const random = seeded(Number(values.seed))
const merchantId = 'demo'
const readers = 4
const calmMs = 1_500

type Standby = Cluster['standbys'][number]

interface Fault {
  readonly name: string
  begin(standby: Standby): Promise<void>
  end(standby: Standby): Promise<void>
}

const faults: readonly Fault[] = [
  { name: 'lags', begin: (standby) => standby.hold(), end: (standby) => standby.release() },
  { name: 'hangs', begin: async (standby) => standby.freeze(), end: async (standby) => standby.thaw() },
  { name: 'dies', begin: (standby) => standby.kill(), end: (standby) => standby.start() },
]

interface Told {
  /** What readers found that must not be. */
  readonly faults: string[]
  readonly calmMs: number[]
  readonly faultMs: number[]
  reads: number
  writes: number
}

/** What the servers have answered: each order's newest version, and how many orders there are. */
interface Known {
  readonly versions: Map<string, number>
  readonly ids: string[]
  total: number
}

class Shop {
  readonly known: Known = { versions: new Map(), ids: [], total: 0 }
  readonly told: Told = { faults: [], calmMs: [], faultMs: [], reads: 0, writes: 0 }
  private readonly origins: readonly string[]
  private readonly headers: Record<string, string>
  private asked = 0
  isBroken = false
  isOver = false

  constructor(origins: readonly string[], token: string) {
    this.origins = origins
    this.headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  }

  /** Each request goes to the next server, as behind a load balancer. */
  private async ask(path: string, init: RequestInit = {}) {
    const origin = this.origins[this.asked++ % this.origins.length] ?? ''
    const reply = await fetch(`${origin}${path}`, { headers: this.headers, ...init })
    return { status: reply.status, body: (await reply.json()) as Record<string, never> }
  }

  async learnTotal(): Promise<void> {
    const { body } = await this.ask(`/m/v2/merchant/${merchantId}/orders/optimized?limit=1`)
    this.known.total = Number(body['total_rows'])
  }

  async write(): Promise<void> {
    const { known, told } = this
    while (!this.isOver) {
      const sent = await this.ask('/marketplace/v1/orders', {
        method: 'POST',
        headers: { ...marketplace, 'content-type': 'application/json' },
        body: JSON.stringify(anOrder(merchantId)),
      })
      if (sent.status !== 201) throw new Error(`An order was answered with ${sent.status}`)
      const id = String(sent.body['id'])
      known.versions.set(id, Number(sent.body['version']))
      known.ids.push(id)
      known.total++
      const accepted = await this.ask(`/m/v2/orders/${id}`, {
        method: 'PUT',
        body: '{"status":"MERCHANT_ACCEPTED"}',
      })
      if (accepted.status !== 200) throw new Error(`An accept was answered with ${accepted.status}`)
      known.versions.set(id, Number(accepted.body['version']))
      told.writes += 2
      await sleep(5)
    }
  }

  async read(): Promise<void> {
    const { known, told } = this
    while (!this.isOver) {
      const isList = random() < 0.5
      const id = known.ids[known.ids.length - 1 - Math.floor(random() * Math.min(20, known.ids.length))] ?? ''
      const least = isList ? known.total : (known.versions.get(id) ?? 0)
      if (!isList && id === '') {
        await sleep(20)
        continue
      }
      const path = isList ? `/m/v2/merchant/${merchantId}/orders/optimized?limit=1` : `/m/v2/orders/${id}`
      const began = performance.now()
      const { isBroken } = this
      const { status, body } = await this.ask(path)
      const times = isBroken ? told.faultMs : told.calmMs
      times.push(performance.now() - began)
      told.reads++
      const found = Number(body[isList ? 'total_rows' : 'version'])
      if (status !== 200) told.faults.push(`${path}: ${status}`)
      else if (found < least) told.faults.push(`${path}: ${found}, after ${least} was answered`)
    }
  }
}

async function runRound(shop: Shop, cluster: Cluster, round: number): Promise<void> {
  const fault = faults[Math.floor(random() * faults.length)] ?? (faults[0] as Fault)
  const both = random() < 0.3
  const first = Math.floor(random() * cluster.standbys.length)
  const struck = both ? cluster.standbys : [cluster.standbys[first] as Standby]
  const before = shop.told.faults.length
  await sleep(calmMs)
  shop.isBroken = true
  for (const standby of struck) await fault.begin(standby)
  await sleep(seconds * 1000)
  for (const standby of struck) await fault.end(standby)
  await sleep(calmMs)
  shop.isBroken = false
  const found = shop.told.faults.slice(before)
  say(
    `  round ${round}: ${both ? 'both standbys' : 'one standby'} ${fault.name}${found.length > 0 ? `: ${found.slice(0, 3).join('; ')}` : ''}`,
  )
}

async function main(): Promise<void> {
  const cluster = await startCluster(2)
  const servers: ServerProcess[] = []
  try {
    const environment = {
      DATABASE_URL: cluster.url,
      DEMO: '1',
      READ_URLS: cluster.standbys.map(({ url }) => url).join(' '),
    }
    for (let place = 0; place < 2; place++)
      servers.push(await startProcess('server/src/main.ts', environment, '/readyz'))
    const origins = servers.map(({ origin }) => origin)
    const shop = new Shop(origins, await signIn(origins[0] ?? '', 'owner@demo.test'))
    await shop.learnTotal()
    const working = Promise.all([shop.write(), ...Array.from({ length: readers }, () => shop.read())])
    for (let round = 1; round <= rounds; round++)
      await Promise.race([runRound(shop, cluster, round), working])
    shop.isOver = true
    await working
    const { told } = shop
    const p99 = (times: number[]) =>
      quantile(
        times.toSorted((one, other) => one - other),
        0.99,
      ).toFixed(0)
    process.exitCode = told.faults.length === 0 ? 0 : 1
    say(
      `${rounds} rounds, ${told.reads} reads beside ${told.writes} changes: ${told.faults.length} failed or older than an answer before; p99 ${p99(told.calmMs)} ms, with a fault ${p99(told.faultMs)} ms`,
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await cluster.stop()
  }
}

await main()
process.exit()
