import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { anItem, anOrder } from '../server/test/orders.ts'
import { startApart } from './rig/apart.ts'
import { attacksOf, marketplace, send, startBatch, type Attacker, type Shop } from './rig/fair-attacks.ts'
import { openLine } from './rig/line.ts'
import { quantile } from './rig/load.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess, type ServerProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

// What one shop sees while another does all that it can at once: its list, and a batch of five slips.
const isQuick = process.argv.includes('--quick')
/** `--only=lists` runs the attacks with this word in their names. */
const only = process.argv.find((given) => given.startsWith('--only='))?.slice('--only='.length) ?? ''
const seconds = isQuick ? 4 : 10
const orders = isQuick ? 20_000 : 100_000
const betweenMs = 15
const goal = 1.5

/** Like a clerk: one request after the other, with a little time between. */
async function askForList(origin: string, shop: Shop, stop: AbortSignal) {
  const line = await openLine(origin)
  const path = `/m/v2/merchant/${shop.key}/orders/optimized?limit=30&offset=0&filter[tab]=active`
  const times: number[] = []
  let failed = 0
  while (!stop.aborted) {
    const sent = performance.now()
    if ((await line.shoot({ path, headers: shop.headers })) !== 200) failed++
    times.push(performance.now() - sent)
    await sleep(betweenMs)
  }
  line.close()
  times.sort((a, b) => a - b)
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), failed }
}

/** Seconds until five slips are there. */
async function timeSmallBatch(origin: string, shop: Shop): Promise<number> {
  const started = performance.now()
  const { body } = await startBatch(origin, shop, 5)
  const path = `/m/v2/merchant/${shop.key}/orders/bulk/${String(body['batch_id'])}`
  for (;;) {
    const batch = (await send(origin, path, { headers: shop.headers })).body
    if (Number(batch['completed_count']) + Number(batch['error_count']) === 5) break
    await sleep(100)
  }
  return (performance.now() - started) / 1000
}

/** The longest that the server takes in. */
async function sendMonster(origin: string, key: string): Promise<string> {
  const words = (length: number) => 'twenty-letter-words '.repeat(length / 20).trim()
  const items = Array.from({ length: 200 }, (_, index) =>
    anItem({ id: `line-${index}`, name: words(280), description: words(160) }),
  )
  const body = JSON.stringify(anOrder(key, { items }))
  const reply = await send(origin, '/marketplace/v1/orders', { method: 'POST', headers: marketplace, body })
  if (reply.status !== 201) throw new Error(`The long order was refused: ${JSON.stringify(reply.body)}`)
  return String(reply.body['id'])
}

async function openShop(app: ServerProcess, pool: pg.Pool, key: string): Promise<Shop> {
  const token = await signIn(app.origin, `owner@${key}.test`)
  const { rows } = await pool.query<{ order_id: string; order_key: string }>(
    `select order_id, order_key from orders where merchant_id = $1 and tab = 'active' limit 2000`,
    [key],
  )
  return {
    key,
    headers: { authorization: `Bearer ${token}` },
    ids: rows.map((row) => row.order_id),
    references: rows.map((row) => row.order_key),
  }
}

async function measureUnder(app: ServerProcess, shop: Shop, attacker: Attacker | undefined) {
  const attack = attacker && startApart(new URL('./rig/fair-attacks.ts', import.meta.url), attacker)
  // What is still being opened or compiled does not count.
  await sleep(1_500)
  const done = new AbortController()
  const asking = askForList(app.origin, shop, done.signal)
  const [batchSeconds] = await Promise.all([timeSmallBatch(app.origin, shop), sleep(seconds * 1000)])
  done.abort()
  const list = await asking
  return { ...list, batchSeconds, said: (await attack?.stop()) ?? '' }
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c statement_timeout=0' })
  try {
    for (const [place, merchantId] of ['demo', 'other'].entries())
      await floodMerchant(pool, merchantId, {
        merchantId,
        orders,
        firstNumber: 20_000_000 + place * 1_000_000,
      })
    await pool.query('vacuum analyze')
    const attacker = await openShop(app, pool, 'demo')
    const other = await openShop(app, pool, 'other')
    const monster = await sendMonster(app.origin, attacker.key)
    await measureUnder(app, other, undefined)
    say(`Another shop's first page, and its batch of five slips (${orders} orders each, ${seconds} s):`)
    let isMet = true
    const against = { origin: app.origin, shop: attacker, monster }
    for (const [index, attack] of attacksOf(against).entries()) {
      if (!attack.name.includes(only)) continue
      const calm = await measureUnder(app, other, undefined)
      const { p50, p95, failed, batchSeconds, said } = await measureUnder(app, other, { ...against, index })
      const ratio = p95 / calm.p95
      isMet &&= ratio <= goal && failed === 0
      const figures = (values: { p50: number; p95: number }) =>
        `p50 ${values.p50.toFixed(1)} p95 ${values.p95.toFixed(1)} ms`
      say(
        `  ${attack.name.padEnd(30)} calm ${figures(calm)}, batch ${calm.batchSeconds.toFixed(1)} s; then ${figures(
          { p50, p95 },
        )} (x${ratio.toFixed(2)}), batch ${batchSeconds.toFixed(1)} s${failed === 0 ? '' : `, ${failed} FAILED`}  [${said}]`,
      )
    }
    say(`  goal: p95 at most ${goal} times calm under each: ${isMet ? 'met' : 'NOT MET'}`)
    process.exitCode = isMet ? 0 : 1
  } finally {
    await pool.end()
    await app.stop()
    await postgres.stop()
  }
}

await main()
