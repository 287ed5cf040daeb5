import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeScratchFolder } from '../../scripts/scratch.mjs'
import { seeded } from '../../server/test/random-requests.ts'
import { endOnSignals, once } from '../rig/end.ts'
import { quantile } from '../rig/load.ts'
import { say } from '../rig/say.ts'
import { startProcess, type ServerProcess } from '../rig/servers.ts'
import { signIn } from '../rig/sign-in.ts'
import { canaries } from './canaries.ts'
import { findFaults, type Witnesses } from './checks.ts'
import { Cluster } from './cluster.ts'
import { Desk, registerWebhook, Writers, type Acknowledged } from './desk.ts'
import { Follower, Reader, receiveWebhooks } from './ears.ts'
import { chooseFaults, faultNames, type Fault } from './faults.ts'
import { findPrograms } from './programs.ts'
import { until } from './until.ts'

// Starts a cluster with the files of ops/failover on this machine, and two servers on it. Writers work all the time,
// while in each round something breaks. After each round everything that was acknowledged must be there.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    /** Only these faults: names with commas between. */
    only: { type: 'string', default: '' },
    canary: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const serversAtOnce = 2
const writersAtOnce = 6
const goalSeconds = 30
/** Long enough for every fault, and for a machine that catches up. */
const wholeSeconds = 180
const withoutWritesMs = 12_000
const stopMs = 10_000

interface Drill extends Witnesses {
  readonly servers: readonly ServerProcess[]
  readonly writers: Writers
  readonly random: () => number
  readonly isSynchronous: boolean
}

interface Round {
  readonly seconds: number
  readonly lost: readonly string[]
  readonly faults: readonly string[]
}

async function makeDatabase(cluster: Cluster): Promise<void> {
  const script = readFileSync(join(import.meta.dirname, '../../ops/failover/create-login.sql'), 'utf8')
  const statements = script
    .replaceAll(/^--.*$/gm, '')
    .replace(":'password'", `'${cluster.password}'`)
    .split(';')
  for (const statement of statements) if (statement.trim() !== '') await cluster.query(statement)
}

/** The longest time without an acknowledged change that was asked for since then. */
function longestPause(acknowledged: readonly Acknowledged[], since: number): number {
  let pause = 0
  let last = since
  for (const { at } of acknowledged.filter(({ sentAt }) => sentAt >= since).toSorted((a, b) => a.at - b.at)) {
    pause = Math.max(pause, at - last)
    last = at
  }
  return pause / 1000
}

async function runRound(drill: Drill, fault: Fault): Promise<Round> {
  const { cluster, servers, writers, desk, random, isSynchronous } = drill
  const faults: string[] = []
  const firstOfRound = writers.acknowledged.length
  const reader = new Reader(desk)
  writers.start(writersAtOnce)
  await sleep(500 + 1_500 * random())
  let since = Date.now()
  const acknowledgedSince = () => writers.acknowledged.filter(({ sentAt }) => sentAt >= since).length
  const mishap = await fault.begin(cluster, random)
  const brokenAt = Date.now()
  if (fault.stopsWriting === true) {
    since = brokenAt
    await sleep(withoutWritesMs)
    if (isSynchronous && acknowledgedSince() > 0)
      faults.push(`${acknowledgedSince()} writes were acknowledged that no second machine could have`)
  } else
    await until('write', wholeSeconds, () => writers.acknowledged.some(({ sentAt }) => sentAt >= brokenAt))
  if (fault.keepsReading === true)
    for (const { why } of reader.failures) faults.push(`the list could not be read: ${why}`)
  await sleep(1_000 * random())
  if (fault.stopsWriting === true) since = Date.now()
  faults.push(...((await mishap.heal?.()) ?? []))
  await until('write', wholeSeconds, () => acknowledgedSince() > 0)
  await until('whole cluster', wholeSeconds, () => cluster.isWhole(isSynchronous))
  await Promise.all([writers.pause(), reader.stop()])
  const seconds = longestPause(writers.acknowledged, since)
  const round = writers.acknowledged.slice(firstOfRound)
  const found = await findFaults(drill, round, writers.acknowledged)
  faults.push(...found.faults, ...desk.wrong.map((wrong) => `an answer that nobody should see: ${wrong}`))
  for (const { unexpected } of servers) faults.push(...unexpected.splice(0))
  faults.push(...writers.refused.splice(0).map((refused) => `refused: ${refused}`))
  for (const status of desk.statuses.keys()) desk.statuses.delete(status)
  return { seconds, lost: found.lost, faults }
}

async function runRounds(drill: Drill, only: readonly string[]): Promise<boolean> {
  const until = Date.now() + Number(values.minutes) * 60_000
  const choose = chooseFaults(only, drill.random)
  const rounds: Round[] = []
  while (rounds.length < Number(values.rounds) && Date.now() < until) {
    const fault = choose.next().value
    const began = Date.now()
    const round = await runRound(drill, fault).catch((error: unknown) => {
      throw new Error(`round ${rounds.length + 1}  ${fault.name}: did not end`, { cause: error })
    })
    rounds.push(round)
    const took = ((Date.now() - began) / 1000).toFixed(0)
    const isWell = round.faults.length + round.lost.length === 0
    say(
      `round ${rounds.length}  ${fault.name}: writing again after ${round.seconds.toFixed(1)} s, ${drill.writers.acknowledged.length} acknowledged so far, ${took} s  ${isWell ? 'ok' : 'FAILED'}`,
    )
    for (const lost of round.lost.slice(0, 5)) say(`    lost: ${lost}`)
    for (const found of new Set(round.faults)) say(`    ${found}`)
  }
  const pauses = rounds.map(({ seconds }) => seconds).toSorted((a, b) => a - b)
  const p95 = quantile(pauses, 0.95)
  const lost = new Set(rounds.flatMap((round) => round.lost)).size
  const failed = rounds.filter((round) => round.faults.length > 0).length
  say(
    `${rounds.length} rounds with seed ${values.seed}, ${drill.writers.acknowledged.length} acknowledged writes: ${lost} lost, ${failed} rounds with another fault, writing again after ${p95.toFixed(1)} s at the 95th percentile (goal ${goalSeconds} s)`,
  )
  return lost === 0 && failed === 0 && p95 <= goalSeconds
}

type Ending = (() => Promise<unknown> | void)[]

async function startServers(
  cluster: Cluster,
  ending: Ending,
  env: Record<string, string>,
): Promise<ServerProcess[]> {
  const started: ServerProcess[] = []
  for (let count = 0; count < serversAtOnce; count++) {
    const settings = {
      DATABASE_URL: cluster.address('cellarhand', 'cellarhand'),
      DEMO: '1',
      // The links in an answer must not depend on the server that made it.
      PUBLIC_URL: 'http://127.0.0.1:4400',
      SANDBOX_STEP_SECONDS: '86400',
      LOG_LEVEL: 'error',
      ...env,
    }
    const server = await startProcess('server/src/main.ts', settings, '/readyz')
    ending.push(() => stopSoon(server))
    started.push(server)
  }
  return started
}

/** A drill that is interrupted leaves its servers without a database, which they would wait for. */
async function stopSoon(server: ServerProcess): Promise<void> {
  const late = setTimeout(() => server.process.kill('SIGKILL'), stopMs)
  await server.stop()
  clearTimeout(late)
}

async function main(): Promise<void> {
  const canary = values.canary === undefined ? undefined : canaries[values.canary]
  const only = values.only.split(',').filter((name) => name !== '')
  if (values.canary !== undefined && canary === undefined)
    throw new Error(`There are these canaries: ${Object.keys(canaries).join(', ')}`)
  if (only.some((name) => !faultNames.includes(name)))
    throw new Error(`There are these faults: ${faultNames.join(', ')}`)
  const programs = findPrograms()
  const { folder, forget } = makeScratchFolder()
  const cluster = await Cluster.prepare(programs, folder)
  const ending: Ending = [() => cluster.stop()]
  let isKept = values.keep
  const end = once(async () => {
    for (let step = ending.pop(); step !== undefined; step = ending.pop()) await step()
    if (isKept) say(`The logs stay in ${folder}`)
    else forget()
  })
  endOnSignals(end)
  try {
    await cluster.start()
    await makeDatabase(cluster)
    await canary?.spoil?.(cluster)
    const isSynchronous = canary?.isSynchronous ?? true
    await until('whole cluster', wholeSeconds, () => cluster.isWhole(isSynchronous))
    const files = join(folder, 'files')
    mkdirSync(files)
    const running = await startServers(cluster, ending, { DATA_DIR: files, ...canary?.env })
    const origins = running.map(({ origin }) => origin)
    const desk = new Desk(origins, await signIn(origins[0] ?? '', 'owner@demo.test'))
    const [start] = await cluster.query<{ event: string; position: string }>(
      'select coalesce(max(event_id), 0) as event, coalesce(max(position), 0) as position from outbox',
      [],
      'cellarhand',
    )
    const hooks = await receiveWebhooks()
    ending.push(() => hooks.close())
    await registerWebhook(origins[0] ?? '', hooks.url)
    const followers = origins.map((origin) => new Follower(origin, desk))
    ending.push(async () => Promise.all(followers.map((follower) => follower.stop())))
    await until('open streams', 30, () => followers.every((follower) => follower.isOpen()))
    const random = seeded(Number(values.seed))
    const writers = new Writers(desk, random, join(folder, 'acknowledged.jsonl'))
    ending.push(() => writers.close())
    const drill: Drill = {
      cluster,
      servers: running,
      desk,
      writers,
      random,
      isSynchronous,
      webhooks: hooks.ids,
      followers,
      firstEvent: Number(start?.event),
      firstPosition: Number(start?.position),
    }
    const names = only.length > 0 || canary === undefined ? only : [canary.shownBy]
    const isWell = await runRounds(drill, names).catch((error: unknown) => {
      isKept = true
      throw error
    })
    // A canary fails on purpose.
    isKept ||= !isWell && canary === undefined
    process.exitCode = isWell ? 0 : 1
  } finally {
    await end()
  }
}

try {
  await main()
} catch (error) {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  say(cause instanceof Error ? `${message}: ${cause.message}` : message)
  process.exitCode = 1
}
// A round that was cut short still has readers and requests under way.
process.exit()
