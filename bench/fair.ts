import { request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { anItem, anOrder } from '../server/test/orders.ts'
import { openLine, type Shot } from './rig/line.ts'
import { quantile } from './rig/load.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess, type ServerProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

// What one shop sees while another does all that it can at once: its list, and a batch of five slips.
const isQuick = process.argv.includes('--quick')
const seconds = isQuick ? 4 : 10
const orders = isQuick ? 20_000 : 100_000
const betweenMs = 15
const goal = 1.5
const json = { 'content-type': 'application/json' }
const marketplace = { authorization: `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}` }

interface Shop {
  readonly key: string
  readonly headers: Record<string, string>
  readonly ids: readonly string[]
  readonly references: readonly string[]
}

interface Attack {
  readonly name: string
  /** Goes on until it is told to stop; answers what it has to say. */
  run(stop: AbortSignal): Promise<string>
}

/** Connections that each ask again as soon as they were answered. */
async function crowd(
  { origin, connections, next }: { origin: string; connections: number; next: (line: number) => Shot },
  stop: AbortSignal,
) {
  const statuses = new Map<number, number>()
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(origin)))
  await Promise.all(
    lines.map(async (line, index) => {
      while (!stop.aborted) {
        const status = await line.shoot(next(index))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      line.close()
    }),
  )
  const counted = [...statuses].toSorted(([one], [other]) => one - other)
  return counted.map(([status, count]) => `${count} × ${status}`).join(', ')
}

async function send(origin: string, path: string, shot: Omit<Shot, 'path'>) {
  const reply = await fetch(`${origin}${path}`, {
    method: shot.method ?? 'GET',
    headers: { ...json, ...shot.headers },
    ...(shot.body === undefined ? {} : { body: shot.body }),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, never> }
}

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

async function startBatch(origin: string, shop: Shop, count: number) {
  return send(origin, `/m/v2/merchant/${shop.key}/orders/bulk/reports`, {
    method: 'POST',
    headers: shop.headers,
    body: JSON.stringify({ order_keys: shop.references.slice(0, count), report_types: ['packingslip'] }),
  })
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

function attacksOf(origin: string, shop: Shop, monster: string): Attack[] {
  const { key, headers, ids } = shop
  const [victim = ''] = ids
  let asked = 0
  const shots = (name: string, connections: number, next: (line: number) => Shot): Attack => ({
    name: `${connections} ${name}`,
    run: (stop) => crowd({ origin, connections, next }, stop),
  })
  const presence = (line: number): Shot => ({
    path: `/m/v2/merchant/${key}/presence`,
    method: 'PUT',
    headers,
    body: JSON.stringify({ screen: `s-${line}`, order_id: ids[asked++ % 100], activity: 'viewing' }),
  })
  return [
    shots('writes to one order', 150, () => ({
      path: `/m/v2/orders/${victim}`,
      method: 'PUT',
      headers,
      body: '{"status":"MERCHANT_ACCEPTED"}',
    })),
    shots('writes to different orders', 40, () => ({
      path: `/m/v2/orders/${ids[asked++ % ids.length]}`,
      method: 'PUT',
      headers,
      body: '{"status":"MERCHANT_ACCEPTED"}',
    })),
    shots('new orders at once', 100, () => ({
      path: '/marketplace/v1/orders',
      method: 'POST',
      headers: marketplace,
      body: JSON.stringify(anOrder(key)),
    })),
    shots('searches', 100, () => ({
      path: `/m/v2/merchant/${key}/orders/optimize?limit=10&offset=0&filter[recipient_name]=${(asked++ % 999).toString(16)}`,
      headers,
    })),
    shots('lists', 100, () => ({
      path: `/m/v2/merchant/${key}/orders/optimized?limit=100&offset=${asked++ % 5_000}`,
      headers,
    })),
    shots('slips of the longest order', 10, () => ({
      path: `/m/v2/merchant/${key}/orders/${monster}/reports/packingslip`,
      headers,
    })),
    {
      name: '400 streams and presence',
      async run(stop) {
        const opened = await Promise.all(Array.from({ length: 400 }, () => openStream(origin, shop, stop)))
        const said = await crowd({ origin, connections: 8, next: presence }, stop)
        return `${opened.filter(Boolean).length} streams open; ${said}`
      },
    },
    {
      name: '12 batches of 124 slips',
      async run(stop) {
        const replies = await Promise.all(Array.from({ length: 12 }, () => startBatch(origin, shop, 124)))
        while (!stop.aborted) await sleep(50)
        return `${replies.filter(({ status }) => status === 202).length} batches taken in`
      },
    },
  ]
}

/** Whether it was taken in; what it is told is thrown away. */
function openStream(origin: string, { key, headers }: Shop, stop: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const stream = request(
      `${origin}/m/v2/merchant/${key}/events`,
      { headers, agent: false, signal: stop },
      (response) => {
        response.resume()
        response.on('error', () => undefined)
        resolve(response.statusCode === 200)
      },
    )
    stream.on('error', () => resolve(false))
    stream.end()
  })
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

async function measureUnder(app: ServerProcess, shop: Shop, attack: Attack | undefined) {
  const stop = new AbortController()
  const attacking = attack?.run(stop.signal)
  // What is still being opened or compiled does not count.
  await sleep(1_500)
  const done = new AbortController()
  const asking = askForList(app.origin, shop, done.signal)
  const [batchSeconds] = await Promise.all([timeSmallBatch(app.origin, shop), sleep(seconds * 1000)])
  done.abort()
  const list = await asking
  stop.abort()
  return { ...list, batchSeconds, said: (await attacking) ?? '' }
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
    for (const attack of attacksOf(app.origin, attacker, monster)) {
      const calm = await measureUnder(app, other, undefined)
      const { p50, p95, failed, batchSeconds, said } = await measureUnder(app, other, attack)
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
