import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { anItem, anOrder } from '../server/test/orders.ts'
import { quantile } from './rig/load.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

// Many orders at once: accepting 200, printing 200 slips and 200 receipts, the cost for others, and a worker's death.
const count = 200
const goals = { acceptMs: 1_000, printMs: 10_000, slowdown: 3 }

interface Sent {
  readonly id: string
  readonly thirstie_logistic_order_ref: string
}
interface Batch {
  readonly total_count: number
  readonly completed_count: number
  readonly error_count: number
  readonly batch_pdf_urls: Record<string, string | null>
}

async function ask<T>(address: string, authorization: string, body?: unknown): Promise<T> {
  const reply = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${address}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

async function sendOrders(origin: string): Promise<Sent[]> {
  const as = `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}`
  const sent: Sent[] = []
  while (sent.length < count) {
    const items = [1, 2, 3].map((line) => anItem({ id: `line-${line}`, name: `Bottle ${line}` }))
    const some = Array.from({ length: 20 }, () =>
      anOrder('demo', { items, gift_message: { message: 'Cheers' } }),
    )
    sent.push(
      ...(await Promise.all(some.map((order) => ask<Sent>(`${origin}/marketplace/v1/orders`, as, order)))),
    )
  }
  return sent
}

/** Another clerk's list, requested over and over. */
async function watchOthers(origin: string, bearer: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    const began = performance.now()
    await ask(`${origin}/m/v2/merchant/demo/orders/optimized?limit=30&filter[tab]=active`, bearer)
    times.push(performance.now() - began)
    await sleep(10)
  }
  return times.toSorted((a, b) => a - b)
}

async function printAll(origin: string, bearer: string, orders: readonly Sent[]) {
  const orderKeys = orders.map((order) => order.thirstie_logistic_order_ref)
  const bulk = `${origin}/m/v2/merchant/demo/orders/bulk`
  const { batch_id: id } = await ask<{ batch_id: string }>(`${bulk}/reports`, bearer, {
    order_keys: orderKeys,
    report_types: ['packingslip', 'receipt'],
  })
  return `${bulk}/${id}`
}

async function untilDone(look: () => Promise<Batch>, onProgress: (done: number) => void = () => {}) {
  for (;;) {
    const batch = await look()
    onProgress(batch.completed_count)
    if (batch.completed_count + batch.error_count === batch.total_count) return batch
    await sleep(100)
  }
}

const { postgres, url } = await startPostgres()
const folder = mkdtempSync(join(tmpdir(), 'cellarhand-bulk-'))
const environment = { DATABASE_URL: url, DEMO: '1', DATA_DIR: folder }
const app = await startProcess('server/src/main.ts', environment, '/readyz')
try {
  const bearer = `Bearer ${await signIn(app.origin, 'owner@demo.test')}`
  const orders = await sendOrders(app.origin)
  const began = performance.now()
  const accepted = await ask<{ order_accepted_count: number }>(
    `${app.origin}/m/v2/merchant/demo/orders/bulk/accept`,
    bearer,
    { orders: orders.map(({ id }) => ({ id, status: 'MERCHANT_ACCEPTED' })) },
  )
  const acceptMs = performance.now() - began
  say(
    `bulk accept of ${accepted.order_accepted_count}: ${acceptMs.toFixed(0)} ms (goal ${goals.acceptMs}: ${acceptMs <= goals.acceptMs ? 'met' : 'MISSED'})`,
  )

  let isOver = false
  setTimeout(() => (isOver = true), 3_000)
  const quiet = await watchOthers(app.origin, bearer, () => isOver)
  isOver = false
  const others = watchOthers(app.origin, bearer, () => isOver)
  const pressed = performance.now()
  const address = await printAll(app.origin, bearer, orders)
  const batch = await untilDone(() => ask<Batch>(address, bearer))
  for (const link of Object.values(batch.batch_pdf_urls))
    if (link !== null) await (await fetch(link)).arrayBuffer()
  const printMs = performance.now() - pressed
  isOver = true
  const busy = await others
  say(
    `${count} slips and ${count} receipts from press to both files: ${(printMs / 1000).toFixed(1)} s (goal ${goals.printMs / 1000}: ${printMs <= goals.printMs ? 'met' : 'MISSED'})`,
  )
  const slowdown = quantile(busy, 0.5) / quantile(quiet, 0.5)
  say(
    `another clerk's list meanwhile, median ${quantile(quiet, 0.5).toFixed(1)} to ${quantile(busy, 0.5).toFixed(1)} ms, p95 ${quantile(quiet, 0.95).toFixed(1)} to ${quantile(busy, 0.95).toFixed(1)} ms: ${slowdown.toFixed(1)} times (goal ${goals.slowdown}: ${slowdown <= goals.slowdown ? 'met' : 'MISSED'})`,
  )

  const heir = await startProcess('server/src/main.ts', environment, '/readyz')
  try {
    const second = new URL(await printAll(app.origin, bearer, orders))
    let isKilled = false
    const ended = await untilDone(
      () => ask<Batch>(`${heir.origin}${second.pathname}`, bearer),
      (done) => {
        if (isKilled || done < 20) return
        isKilled = true
        app.process.kill('SIGKILL')
      },
    )
    say(
      `a process killed in the middle of a batch: ${ended.completed_count} of ${ended.total_count} done by the other`,
    )
  } finally {
    await heir.stop()
  }
} finally {
  app.process.kill('SIGKILL')
  await postgres.stop()
  rmSync(folder, { recursive: true })
}
