import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCluster, type Cluster } from '../../server/test/database/standbys.ts'
import { anOrder } from '../../server/test/orders.ts'
import { seeded } from '../../server/test/random-requests.ts'
import { marketplace } from '../rig/fair-attacks.ts'
import { quantile } from '../rig/load.ts'
import { say } from '../rig/say.ts'
import { endOnSignals, once, wholeNumber } from '../rig/end.ts'
import { startProcess, type ServerProcess } from '../rig/servers.ts'
import { signIn } from '../rig/sign-in.ts'

// Two servers read on two hot standbys, and each round breaks one of these or both. No read may fail or be older than an
// earlier answer, and a repaired standby must answer again.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
})
const rounds = wholeNumber('--rounds', values.rounds)
const seconds = wholeNumber('--seconds', values.seconds)
const seed = wholeNumber('--seed', values.seed)
/** Each has its own numbers, so that the same seed breaks the same standbys however many reads there are. */
const randomOfRounds = seeded(seed)
const randomOfReads = seeded(seed + 1)
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
  /** Failed reads and old answers. */
  readonly faults: string[]
  readonly calmMs: number[]
  readonly faultMs: number[]
  reads: number
  writes: number
}

/** The newest answers: each order's version, and the number of orders. */
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
    this.known.total = whole(body['total_rows'])
  }

  async write(): Promise<void> {
    const { known, told } = this
    let counted = known.total
    while (!this.isOver) {
      const sent = await this.ask('/marketplace/v1/orders', {
        method: 'POST',
        headers: { ...marketplace, 'content-type': 'application/json' },
        body: JSON.stringify(anOrder(merchantId)),
      })
      if (sent.status !== 201) throw new Error(`An order was answered with ${sent.status}`)
      const id = String(sent.body['id'])
      known.versions.set(id, whole(sent.body['version']))
      known.ids.push(id)
      known.total = Math.max(known.total, ++counted)
      const accepted = await this.ask(`/m/v2/orders/${id}`, {
        method: 'PUT',
        body: '{"status":"MERCHANT_ACCEPTED"}',
      })
      if (accepted.status !== 200) throw new Error(`An accept was answered with ${accepted.status}`)
      known.versions.set(id, Math.max(known.versions.get(id) ?? 0, whole(accepted.body['version'])))
      told.writes += 2
      await sleep(5)
    }
  }

  async read(): Promise<void> {
    const { known, told } = this
    while (!this.isOver) {
      const isList = randomOfReads() < 0.5
      const id =
        known.ids[known.ids.length - 1 - Math.floor(randomOfReads() * Math.min(20, known.ids.length))] ?? ''
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
      else if (!(found >= least)) told.faults.push(`${path}: ${found}, after ${least} was answered`)
      else if (isList) known.total = Math.max(known.total, found)
      else known.versions.set(id, Math.max(known.versions.get(id) ?? 0, found))
    }
  }
}

function whole(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new Error(`An answer has ${String(value)} in place of a number`)
  return value as number
}

/** How many reads each standby has answered, at all servers together. */
async function readsByStandby(servers: readonly ServerProcess[]): Promise<number[]> {
  const texts = await Promise.all(
    servers.map(async ({ origin }) => (await fetch(`${origin}/metrics`)).text()),
  )
  const found = texts.flatMap((text) => [
    ...text.matchAll(/^cellarhand_reads_total\{place="standby (\d+)"\} (\d+)/gm),
  ])
  return [1, 2].map((number) =>
    found.reduce((sum, [, standby, reads]) => sum + (Number(standby) === number ? Number(reads) : 0), 0),
  )
}

/** A standby that was away catches up first. */
async function answersAgain(servers: readonly ServerProcess[], before: readonly number[]): Promise<boolean> {
  for (let tries = 0; tries < 120; tries++) {
    const now = await readsByStandby(servers)
    if (now.every((reads, place) => reads > (before[place] ?? 0))) return true
    await sleep(500)
  }
  return false
}

interface Place {
  readonly shop: Shop
  readonly cluster: Cluster
  readonly servers: readonly ServerProcess[]
}

async function runRound({ shop, cluster, servers }: Place, round: number): Promise<void> {
  // Each fault in turn, so that none is left out by chance.
  const fault = faults[round % faults.length] as Fault
  const both = randomOfRounds() < 0.3
  const struck = both ? cluster.standbys : [cluster.standbys[randomOfRounds() < 0.5 ? 0 : 1] as Standby]
  const { told } = shop
  const before = told.faults.length
  await sleep(calmMs)
  shop.isBroken = true
  for (const standby of struck) await fault.begin(standby)
  await sleep(seconds * 1000)
  for (const standby of struck) await fault.end(standby)
  const repaired = await readsByStandby(servers)
  if (!(await answersAgain(servers, repaired))) told.faults.push('A repaired standby answers no reads')
  shop.isBroken = false
  const found = told.faults.slice(before, before + 3)
  say(
    `  round ${round}: ${both ? 'both standbys' : 'one standby'} ${fault.name}${found.length > 0 ? `: ${found.join('; ')}` : ''}`,
  )
}

async function main(): Promise<void> {
  const cluster = await startCluster(2)
  const servers: ServerProcess[] = []
  const end = once(async () => {
    // A process that stands still cannot be stopped.
    for (const standby of cluster.standbys) attempt(() => standby.thaw())
    await Promise.all(servers.map((server) => server.stop()))
    await cluster.stop()
  })
  endOnSignals(end)
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
    working.catch(() => undefined)
    for (let round = 1; round <= rounds; round++) await runRound({ shop, cluster, servers }, round)
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
    await end()
  }
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // A process has ended by itself meanwhile.
  }
}

await main()
process.exit()
