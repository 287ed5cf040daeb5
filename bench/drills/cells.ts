import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import {
  exportIdOf,
  receiveWebhooks,
  startMarketplace,
  type Receiver,
} from '../../server/test/moving-marketplace.ts'
import { marketplace, send } from '../rig/fair-attacks.ts'
import { floodMerchant } from '../rig/many-orders.ts'
import { say } from '../rig/say.ts'
import { endOnSignals, once, wholeNumber } from '../rig/end.ts'
import { startPostgres, startProcess } from '../rig/servers.ts'

// Two complete installations. A merchant with many orders moves from one to the other while its orders come in:
// nothing may be lost, no webhook's id may have two contents, and changes may wait for 30 seconds at most.
const { values } = parseArgs({ options: { orders: { type: 'string', default: '20000' } } })
const orders = wholeNumber('--orders', values.orders)
const key = 'harbor-moves'
const goalSeconds = 30
const beforeMs = 3_000

interface Cell {
  readonly origin: string
  readonly pool: pg.Pool
  /** `npm run admin -- <args>` with the cell's environment; fails with the command's words. */
  admin(...args: string[]): Promise<unknown>
  stop(): Promise<void>
}

async function startCell(folder: string, name: string): Promise<Cell> {
  const { postgres, url } = await startPostgres()
  const environment = {
    DATABASE_URL: url,
    DEMO: '1',
    DATA_DIR: join(folder, name),
    SEALING_KEY: `the-sealing-key-of-the-cell-${name}-which-is-long`,
  }
  const server = await startProcess('server/src/main.ts', environment, '/readyz')
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c statement_timeout=0' })
  // A lost connection fails its statement by itself.
  pool.on('error', () => undefined)
  return {
    origin: server.origin,
    pool,
    admin: async (...args) =>
      promisify(execFile)(process.execPath, ['server/src/admin.ts', ...args], {
        env: { ...process.env, ...environment },
      }),
    async stop() {
      await server.stop()
      await pool.end()
      await postgres.stop()
    },
  }
}

async function openShop({ admin, pool }: Cell): Promise<void> {
  const facts = {
    key,
    name: 'Harbor',
    timezone: 'America/New_York',
    email: 'harbor@moves.test',
    phone: '+12125550100',
    street: '12 Commerce St',
    city: 'New York',
    state: 'NY',
    zip: '10004',
    'owner-email': 'owner@moves.test',
    'owner-first-name': 'Dee',
    'owner-last-name': 'Nakamura',
  }
  await admin('create-merchant', ...Object.entries(facts).flatMap(([name, value]) => [`--${name}`, value]))
  await admin('set-onboarded', '--merchant', key)
  await floodMerchant(pool, 'demo', { merchantId: key, orders, firstNumber: 50_000_000 })
}

interface Moved {
  readonly old: Cell
  readonly other: Cell
  readonly receiver: Receiver
  readonly acknowledged: ReadonlyMap<string, { readonly id: string; readonly version: number }>
}

/** The differences between the answers and the new cell, in sentences. */
async function findFaults({ old, other, receiver, acknowledged }: Moved): Promise<string[]> {
  const found: string[] = []
  const versionsOf = async ({ pool }: Cell) => {
    const { rows } = await pool.query<{ id: string; version: number }>(
      'select order_id as id, version from orders where merchant_id = $1',
      [key],
    )
    return new Map(rows.map(({ id, version }) => [id, version]))
  }
  const here = await versionsOf(other)
  for (const { id, version } of acknowledged.values())
    if (here.get(id) !== version)
      found.push(`#${id} was answered in version ${version}, and has ${here.get(id)}`)
  for (const [id] of await versionsOf(old)) if (!here.has(id)) found.push(`#${id} stayed behind`)
  if (here.size !== orders + acknowledged.size) found.push(`${here.size} orders are in the new cell`)
  const contents = new Map<string, string>()
  for (const { id, body } of receiver.received) {
    if ((contents.get(id) ?? body) !== body) found.push(`The webhook ${id} has two contents`)
    contents.set(id, body)
  }
  const { rows } = await other.pool.query<{ id: string }>(
    'select webhook_id as id from outbox where merchant_id = $1',
    [key],
  )
  for (const { id } of rows) if (!contents.has(id)) found.push(`The webhook ${id} never came`)
  return found
}

async function webhooksSent({ pool }: Cell): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { rows } = await pool.query(
      'select 1 from outbox where merchant_id = $1 and (position is null or (webhook_due_at is not null and webhook_done_at is null)) limit 1',
      [key],
    )
    if (rows.length === 0) return
    await sleep(100)
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cellarhand-cells-'))
  const receiver = await receiveWebhooks()
  const cells: Cell[] = []
  let market: ReturnType<typeof startMarketplace> | undefined
  const end = once(async () => {
    await market?.stop().catch(() => undefined)
    await Promise.all(cells.map((cell) => cell.stop()))
    receiver.close()
    rmSync(folder, { recursive: true, force: true })
  })
  endOnSignals(end)
  try {
    for (const name of ['one', 'two']) cells.push(await startCell(folder, name))
    const [old, other] = cells as [Cell, Cell]
    await other.admin('number-orders', '--from', '2000000000')
    for (const { origin } of cells)
      await send(origin, '/marketplace/v1/webhook', {
        method: 'PUT',
        headers: marketplace,
        body: JSON.stringify(receiver.registration),
      })
    say(`A merchant with ${orders} orders…`)
    await openShop(old)
    const keyFile = join(folder, 'transfer.key')
    writeFileSync(keyFile, 'a-key-that-both-cells-have-for-the-time-of-a-move\n')
    market = startMarketplace({ origin: old.origin, key, authorization: marketplace.authorization })
    await sleep(beforeMs)
    const of = ['--merchant', key]
    const to = join(folder, 'moving')
    const step = async (cell: Cell, ...args: string[]) => {
      const began = performance.now()
      await cell.admin(...args)
      say(`  ${args[0]}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
    }
    await step(old, 'move-merchant', ...of, '--start', '--seconds', '600')
    await step(old, 'export-merchant', ...of, '--to', to, '--key-file', keyFile)
    await step(other, 'import-merchant', '--from', to, '--key-file', keyFile)
    await step(old, 'move-merchant', ...of, '--to', other.origin, '--export', await exportIdOf(to))
    await step(other, 'move-merchant', ...of, '--open')
    await sleep(beforeMs)
    await market.stop()
    await webhooksSent(other)
    const seconds = market.longestMs() / 1000
    const faults = await findFaults({ old, other, receiver, acknowledged: market.acknowledged })
    if (market.led.length === 0) faults.push('No change was led to the new cell')
    for (const fault of faults.slice(0, 10)) say(`  ${fault}`)
    process.exitCode = faults.length === 0 && seconds <= goalSeconds ? 0 : 1
    say(
      `${orders} orders moved beside ${market.acknowledged.size} new ones: ${faults.length} lost or doubled, changes waited for ${seconds.toFixed(1)} s (goal: ${goalSeconds})`,
    )
  } finally {
    await end()
  }
}

await main()
process.exit()
