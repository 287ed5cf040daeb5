import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { anOrder } from '../server/test/orders.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess, type ServerProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

// Kills the server in the middle of batches of labels, each time at another moment, and counts the results.
const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, size: { type: 'string', default: '25' } },
})
const kills = Number(values.kills)
const size = Number(values.size)
/** A merchant has no more batches under way, so all are settled before more are begun. */
const mostAtOnce = 20
const goalSeconds = 30
const settleLimitMs = 10 * 60_000
const marketplace = `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}`

interface Batch {
  readonly total_count: number
  readonly completed_count: number
  readonly error_count: number
  readonly failed: readonly { readonly id: string; readonly message: string }[]
}

interface Desk {
  server: ServerProcess
  token: string
}

async function ask<T>(
  { server, token }: Desk,
  line: string,
  { as = `Bearer ${token}`, body }: { as?: string; body?: unknown } = {},
): Promise<T> {
  const [method = '', path = ''] = line.split(' ')
  const reply = await fetch(`${server.origin}${path}`, {
    method,
    headers: { authorization: as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${line}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

async function accepted(desk: Desk): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < size) {
    const body = { ...anOrder('demo'), order_weight: 4.5 }
    const { id } = await ask<{ id: string }>(desk, 'POST /marketplace/v1/orders', { as: marketplace, body })
    await ask(desk, `PUT /m/v2/orders/${id}`, { body: { status: 'MERCHANT_ACCEPTED' } })
    ids.push(id)
  }
  return ids
}

async function startBatch(desk: Desk, items: readonly string[]): Promise<string> {
  const path = '/m/v2/merchant/demo/orders/bulk/labels'
  const { batch_id } = await ask<{ batch_id: string }>(desk, `POST ${path}`, { body: { items } })
  return batch_id
}

const readBatch = (desk: Desk, id: string) => ask<Batch>(desk, `GET /m/v2/merchant/demo/orders/bulk/${id}`)

async function untilEnded(desk: Desk, id: string, pauseMs: number): Promise<Batch> {
  for (const until = performance.now() + settleLimitMs; ;) {
    const batch = await readBatch(desk, id)
    const isOver = batch.completed_count + batch.error_count === batch.total_count
    if (isOver || performance.now() > until) return batch
    await sleep(pauseMs)
  }
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const start = async () =>
    startProcess(
      'server/src/main.ts',
      { DATABASE_URL: url, DEMO: '1', SANDBOX_STEP_SECONDS: '86400', LOG_LEVEL: 'fatal' },
      '/readyz',
    )
  const server = await start()
  const desk: Desk = { server, token: await signIn(server.origin, 'owner@demo.test') }
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  try {
    await untilEnded(desk, await startBatch(desk, await accepted(desk)), 100)
    const calm = await accepted(desk)
    const began = performance.now()
    await untilEnded(desk, await startBatch(desk, calm), 25)
    const calmMs = performance.now() - began
    say(`${size} labels without a kill: ${(calmMs / 1000).toFixed(1)} s`)

    const results: Batch[] = []
    let slowest = 0
    for (let killed = 0; killed < kills; killed += mostAtOnce) {
      const batches: string[] = []
      for (let kill = killed + 1; kill <= Math.min(kills, killed + mostAtOnce); kill++) {
        const ids = await accepted(desk)
        batches.push(await startBatch(desk, ids))
        // Spread over the whole time of a batch, and the same in every run.
        await sleep(calmMs * ((kill * 0.618) % 1))
        const ended = once(desk.server.process, 'exit')
        desk.server.process.kill('SIGKILL')
        await ended
        desk.server = await start()
      }
      const readyAt = performance.now()
      for (const id of batches) results.push(await untilEnded(desk, id, 250))
      slowest = Math.max(slowest, (performance.now() - readyAt) / 1000)
    }
    await report(database, results, slowest)
  } finally {
    await database.end()
    await desk.server.stop()
    await postgres.stop()
  }
}

async function report(database: pg.Client, results: readonly Batch[], seconds: number): Promise<void> {
  const failed = results.flatMap((batch) => batch.failed)
  const open = results.filter((batch) => batch.completed_count + batch.error_count < batch.total_count)
  const { rows: doubled } = await database.query(
    `select label->>'orderNumber' from sandbox_parcels where state = 'bought' group by 1 having count(*) > 1`,
  )
  const { rows: unsettled } = await database.query(
    `select 1 from label_purchases where state in ('running', 'in_doubt', 'voiding')`,
  )
  const { rows: unused } = await database.query(
    `select 1 from sandbox_parcels p where p.state = 'bought' and not exists (
       select from shipping_labels l where l.shipment = p.shipment and l.state = 'bought')`,
  )
  say(`${kills} kills, ${results.length} batches of ${size}:`)
  say(`  batches with failed orders: ${results.filter((batch) => batch.failed.length > 0).length}`)
  say(`  failed orders: ${failed.length}${failed[0] === undefined ? '' : `, such as: ${failed[0].message}`}`)
  say(`  batches that did not end: ${open.length}; purchases left open: ${unsettled.length}`)
  say(`  orders with two labels: ${doubled.length}; labels paid for and not used: ${unused.length}`)
  say(
    `  settled ${seconds.toFixed(1)} s at most after the last start of ${mostAtOnce} was ready (goal: within ${goalSeconds} s)`,
  )
  const isWell = [failed, open, doubled, unsettled, unused].every((faults) => faults.length === 0)
  process.exitCode = isWell && seconds <= goalSeconds ? 0 : 1
}

await main()
