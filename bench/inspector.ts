import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkFieldsPurpose } from '../server/src/orders/public.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { createSealer } from '../server/src/platform/sealed-text.ts'
import { measure, type Measured } from './rig/load.ts'
import { say, sayMeasured } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'
import { fillThreeYears, firstPast } from './rig/three-years.ts'

const orders = Number(process.argv[2] ?? '1000000')
const merchantId = 'demo'
const days = 3 * 365
const goalSeconds = 60

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const range = { from: day(-days - 1), to: day(1) }

/** The most memory that the process has had, in MB, as Linux counts it. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** The processor time that the process has had, in seconds. */
async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, , , , , , , , , , , user = 0, system = 0] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(user) + Number(system)) / 100
}

interface Ran {
  readonly seconds: number
  /** Of a processor: on a machine that does other work, the seconds alone say little. */
  readonly worked: number
  readonly peak: number
  readonly said: string
}

/** The command as an operator runs it, with its progress. */
async function runCommand(url: string, out: string): Promise<Ran> {
  const given = ['--merchant', merchantId, '--from', range.from, '--to', range.to, '--out', out]
  const began = performance.now()
  const child = spawn(process.execPath, ['server/src/admin.ts', 'inspector-file', ...given], {
    env: { ...process.env, DATABASE_URL: url, DEMO: '1', INIT_CWD: tmpdir() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let [peak, worked] = [0, 0]
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const watch = setInterval(async () => {
    peak = Math.max(peak, await peakMemory(child.pid ?? 0))
    worked = Math.max(worked, await processorTime(child.pid ?? 0))
  }, 200)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  if (code !== 0) throw new Error(`The command ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, worked, peak, said: said.trim() }
}

interface File {
  readonly is_finished: boolean
  readonly sales: number
  readonly problem: string | null
  readonly url: string | null
}

/** An owner asks for the same file on the page, while a clerk opens orders. */
async function askOnPage(url: string): Promise<void> {
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  try {
    const headers = { authorization: `Bearer ${await signIn(app.origin, 'owner@demo.test')}` }
    let opened = 0
    const open = () => ({ path: `/m/v2/orders/${firstPast + (++opened % orders)}`, headers })
    const look = (seconds: number) => measure({ origin: app.origin, connections: 1, seconds, next: open })
    await look(3)
    sayMeasured('an order, before', await look(5), undefined)
    const files = `${app.origin}/m/v2/merchant/${merchantId}/inspector_files`
    const began = performance.now()
    const asked = await fetch(files, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'idempotency-key': `bench-${process.pid}`,
      },
      body: JSON.stringify(range),
    })
    if (asked.status !== 202) throw new Error(await asked.text())
    const rounds: Measured[] = []
    let file: File | undefined
    while (file?.is_finished !== true) {
      rounds.push(await look(5))
      const told = (await (await fetch(files, { headers })).json()) as { files: File[] }
      file = told.files[0]
    }
    if (file.url === null) throw new Error(file.problem ?? 'There is no file')
    const seconds = (performance.now() - began) / 1000
    sayMeasured('an order, while it is made', worstOf(rounds), undefined)
    say(`  made on the page within ${seconds.toFixed(0)} s, with ${file.sales} sales`)
    const from = performance.now()
    let bytes = 0
    for await (const piece of (await fetch(file.url)).body ?? []) bytes += (piece as Uint8Array).length
    const took = (performance.now() - from) / 1000
    const peak = await peakMemory(app.process.pid ?? 0)
    say(
      `  downloaded ${(bytes / 1_000_000).toFixed(1)} MB in ${took.toFixed(1)} s; the server had at most ${peak.toFixed(0)} MB of memory`,
    )
    await sleep(100)
  } finally {
    await app.stop()
  }
}

function worstOf(rounds: readonly Measured[]): Measured {
  const most = (key: keyof Measured) => Math.max(...rounds.map((round) => round[key]))
  return {
    perSecond: Math.min(...rounds.map(({ perSecond }) => perSecond)),
    p50: most('p50'),
    p99: most('p99'),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  }
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'cellarhand-inspector-'))
  try {
    const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
    await app.stop()
    const { sealingKeys } = readConfig({ ...process.env, DATABASE_URL: url, DEMO: '1' })
    const fields = { name: 'Dee Nakamura', birth_date: '1990-01-01', address: '1 Pier, New York' }
    const fieldsSealed = createSealer(sealingKeys, checkFieldsPurpose).seal(JSON.stringify(fields))
    const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c statement_timeout=0' })
    const began = performance.now()
    await fillThreeYears(pool, { merchantId, orders, days, fieldsSealed }).finally(() => pool.end())
    const filled = (performance.now() - began) / 1000
    say(`${orders} orders of three years are there after ${filled.toFixed(0)} s`)
    const out = join(folder, 'inspector.zip')
    const { seconds, worked, peak, said } = await runCommand(url, out)
    const { size } = await stat(out)
    say(`  ${said.split('\n').at(-1)}`)
    say(
      `  ${seconds.toFixed(1)} s in all (goal: ${goalSeconds} s for 1,000,000 orders), ${worked.toFixed(1)} s of them of a processor`,
    )
    say(`  ${(size / 1_000_000).toFixed(1)} MB; the command had at most ${peak.toFixed(0)} MB of memory`)
    await askOnPage(url)
  } finally {
    await rm(folder, { recursive: true })
    await postgres.stop()
  }
}

await main()
