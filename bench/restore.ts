import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { addPast, withoutSearchIndexes } from './rig/long-past.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'

const orders = process.argv.includes('--quick') ? 25_000 : 250_000
const shop = 'demo'
const serverFile = 'server/src/main.ts'

/** Each shop has its own; otherwise a restore would find another shop's documents. */
interface Place {
  readonly DATABASE_URL: string
  readonly DATA_DIR: string
}

interface Command {
  readonly code: number | null
  readonly text: string
  readonly seconds: number
}

/** Runs it as `npm run admin` does, and shows its output as it comes. `end` may kill it, depending on the output. */
async function admin(
  args: string[],
  place: Place,
  end: (line: string) => boolean = () => false,
): Promise<Command> {
  const began = performance.now()
  const child = spawn(process.execPath, ['server/src/admin.ts', ...args], {
    env: { ...process.env, ...place, DEMO: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (said: string) => {
      text += said
      for (const line of said.trim().split('\n')) say(`    ${line}`)
      if (end(said)) child.kill('SIGKILL')
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text, seconds: (performance.now() - began) / 1000 }
}

function demand(holds: boolean, what: string): void {
  say(`  ${holds ? 'ok' : 'FAILED'}: ${what}`)
  if (!holds) process.exitCode = 1
}

async function canStart(place: Place): Promise<boolean> {
  const running = await startProcess(serverFile, { ...place, DEMO: '1' }, '/readyz').catch(() => undefined)
  await running?.stop()
  return running !== undefined
}

/** Backs up a shop with a long past. One restore is killed, one finds a truncated file, and one works. */
async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'cellarhand-drill-'))
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c statement_timeout=0' })
  try {
    const shopPlace = { DATABASE_URL: url, DATA_DIR: join(folder, 'shop') }
    await (await startProcess(serverFile, { ...shopPlace, DEMO: '1' }, '/readyz')).stop()
    say(`Filling one merchant with ${orders} orders and their past…`)
    await withoutSearchIndexes(pool, async () => {
      await floodMerchant(pool, shop, { merchantId: shop, orders, firstNumber: 20_000_000 })
      await addPast(pool, shop)
    })
    const backup = join(folder, 'backup')
    say('Backing up')
    const backedUp = await admin(['backup', '--to', backup], shopPlace)
    demand(backedUp.code === 0, `the backup, in ${backedUp.seconds.toFixed(1)} s`)
    await pool.query('create database restored')
    const address = new URL(url)
    address.pathname = '/restored'
    const restored = { DATABASE_URL: address.href, DATA_DIR: join(folder, 'restored') }
    const restore = (end?: (line: string) => boolean) => admin(['restore', '--from', backup], restored, end)

    say('Restoring, killed in the middle')
    const killed = await restore((said) => /Building/.test(said))
    demand(killed.code === null, `killed after ${killed.seconds.toFixed(1)} s`)
    demand(!(await canStart(restored)), 'no server starts on it')

    say('Restoring from a file that is cut')
    const file = join(backup, 'tables', 'orders.copy.gz')
    await copyFile(file, `${file}.whole`)
    await truncate(file, 1_000_000)
    const cut = await restore()
    await copyFile(`${file}.whole`, file)
    demand(cut.code === 1 && cut.text.includes('damaged'), 'refused')
    demand(!(await canStart(restored)), 'no server starts on it')

    say('Restoring')
    const done = await restore()
    demand(done.code === 0, `${orders} orders restored in ${done.seconds.toFixed(1)} s`)
    demand(await canStart(restored), 'a server starts on it')
    const look = new pg.Pool({ connectionString: address.href, max: 1 })
    const count = `select (select count(*) from orders) || ' orders, ' || (select count(*) from order_search) || ' search rows, ' || (select count(*) from order_history) || ' history rows' as n`
    const [before, after] = await Promise.all([pool, look].map((each) => each.query<{ n: string }>(count)))
    await look.end()
    demand(before?.rows[0]?.n === after?.rows[0]?.n, `the same rows: ${after?.rows[0]?.n}`)
  } finally {
    await pool.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
