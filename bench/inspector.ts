import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers'
import pg from 'pg'
import { addPast, withoutSearchIndexes } from './rig/long-past.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'

const orders = Number(process.argv[2] ?? '1000000')
const merchantId = 'demo-busy'
const days = 3 * 365
const goalSeconds = 60

/** The most memory that the process has had, in MB, as Linux counts it. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** The command as an operator runs it, with its progress. */
async function runCommand(
  url: string,
  out: string,
): Promise<{ seconds: number; peak: number; said: string }> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const range = ['--merchant', merchantId, '--from', day(-days - 1), '--to', day(1), '--out', out]
  const began = performance.now()
  const child = spawn(process.execPath, ['server/src/admin.ts', 'inspector-file', ...range], {
    env: { ...process.env, DATABASE_URL: url, DEMO: '1', INIT_CWD: tmpdir() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let peak = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const watch = setInterval(async () => (peak = Math.max(peak, await peakMemory(child.pid ?? 0))), 200)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  if (code !== 0) throw new Error(`The command ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, peak, said: said.trim() }
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'cellarhand-inspector-'))
  try {
    const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
    await app.stop()
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    const began = performance.now()
    await withoutSearchIndexes(pool, async () => {
      const everySeconds = (days * 86_400) / orders
      await floodMerchant(pool, 'demo', { merchantId, orders, firstNumber: 3_000_000, everySeconds })
      await addPast(pool, merchantId)
    })
    await pool.query('analyze orders; analyze order_history')
    await pool.end()
    say(
      `${orders} orders of three years are there after ${((performance.now() - began) / 1000).toFixed(0)} s`,
    )
    const out = join(folder, 'inspector.zip')
    const { seconds, peak, said } = await runCommand(url, out)
    const { size } = await stat(out)
    say(`  ${said}`)
    say(`  ${seconds.toFixed(1)} s in all (goal: ${goalSeconds} s for 1,000,000 orders)`)
    say(`  ${(size / 1_000_000).toFixed(1)} MB; the command had at most ${peak.toFixed(0)} MB of memory`)
  } finally {
    await rm(folder, { recursive: true })
    await postgres.stop()
  }
}

await main()
