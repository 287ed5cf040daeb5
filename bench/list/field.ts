import pg from 'pg'
import { floodMerchant } from '../rig/many-orders.ts'
import { say } from '../rig/say.ts'
import { startProcess, type ServerProcess } from '../rig/servers.ts'
import { signIn } from '../rig/sign-in.ts'

/** The merchant of the demo, whose orders are multiplied. */
export const template = 'demo'

export const fewOrders = 100_000
export const firstNumber = 20_000_000

export interface Account {
  readonly merchantId: string
  readonly token: string
}

export interface Field {
  readonly title: string
  readonly app: ServerProcess
  readonly reference: ServerProcess
  readonly account: Account
  readonly orderIds: readonly string[]
}

/** Finishes the database's work from the filling, so that it does not count. */
export async function settle(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}

/** Filling may take longer than the server's limit for a statement; an index of millions wants memory. */
const ownerOptions = '-c statement_timeout=0 -c maintenance_work_mem=1GB'

export async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 2, options: ownerOptions })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** The database with the demo, which has one merchant's few orders afterwards. */
export async function fillSmall(url: string): Promise<void> {
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  await app.stop()
  say(`Filling one merchant with ${fewOrders} orders…`)
  await withPool(url, async (pool) => {
    await floodMerchant(pool, template, { merchantId: template, orders: fewOrders, firstNumber })
    await settle(pool)
  })
}

/** A copy of the database beside it, and its address. */
export async function copyOf(url: string): Promise<string> {
  const copy = new URL(url)
  const name = copy.pathname.slice(1)
  copy.pathname = '/large'
  const anyOther = new URL(url)
  anyOther.pathname = '/template1'
  await withPool(anyOther.href, (pool) => pool.query(`create database large template ${name}`))
  return copy.href
}

export async function openField(title: string, url: string, started: ServerProcess[]): Promise<Field> {
  const start = async (file: string, path: string) => {
    const running = await startProcess(file, { DATABASE_URL: url, DEMO: '1' }, path)
    started.push(running)
    return running
  }
  const app = await start('server/src/main.ts', '/readyz')
  const reference = await start('bench/rig/reference-server.ts', '/page?merchant=none&tab=active')
  const account = { merchantId: template, token: await signIn(app.origin, 'owner@demo.test') }
  return { title, app, reference, account, orderIds: await withPool(url, someOrders) }
}

/** About 100,000 of the template's orders, from all over the table. */
async function someOrders(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ order_id: string }>(
    `select order_id from orders tablesample system
       ((select least(100, 100 * 100000 / greatest(reltuples, 1)) from pg_class where oid = 'orders'::regclass))
     where merchant_id = $1`,
    [template],
  )
  return rows.map((row) => row.order_id)
}

export function anyOf(values: readonly string[]): string {
  return values[Math.floor(Math.random() * values.length)] ?? ''
}
