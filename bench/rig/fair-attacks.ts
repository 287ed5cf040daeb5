import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PaperTask, PaperToDraw } from '../../server/src/documents/papers/paper-tasks.ts'
import { systemClock } from '../../server/src/platform/clock/system-clock.ts'
import { createSideProcess } from '../../server/src/platform/side-process/side-process.ts'
import { anOrder } from '../../server/test/orders.ts'
import { openLine, type Shot } from './line.ts'
import { servesApart } from './apart.ts'
import { printed } from './printed.ts'

const json = { 'content-type': 'application/json' }
export const marketplace = {
  authorization: `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}`,
}

export interface Shop {
  readonly key: string
  readonly headers: Record<string, string>
  readonly ids: readonly string[]
  readonly references: readonly string[]
}

export interface Attacker {
  readonly origin: string
  readonly shop: Shop
  /** The number of the longest order. */
  readonly monster: string
  /** The path of the file with the labels of an order's many boxes; it needs no session. */
  readonly labels: string
  /** Which of the attacks. */
  readonly index: number
}

interface Attack {
  readonly name: string
  /** It never asks the server, so that its ratio is the machine's own; no goal is for it. */
  readonly isReference?: boolean
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

export async function send(origin: string, path: string, shot: Omit<Shot, 'path'>) {
  const reply = await fetch(`${origin}${path}`, {
    method: shot.method ?? 'GET',
    headers: { ...json, ...shot.headers },
    ...(shot.body === undefined ? {} : { body: shot.body }),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, never> }
}

export async function startBatch(origin: string, shop: Shop, count: number) {
  return send(origin, `/m/v2/merchant/${shop.key}/orders/bulk/reports`, {
    method: 'POST',
    headers: shop.headers,
    body: JSON.stringify({ order_keys: shop.references.slice(0, count), report_types: ['packingslip'] }),
  })
}

/** Waits until each paper of the batch is there or has failed. */
export async function batchEnd(origin: string, { key, headers }: Shop, id: string): Promise<void> {
  for (;;) {
    const { body } = await send(origin, `/m/v2/merchant/${key}/orders/bulk/${id}`, { headers })
    if (Number(body['completed_count']) + Number(body['error_count']) === Number(body['total_count'])) return
    await sleep(100)
  }
}

export function attacksOf({ origin, shop, monster, labels }: Omit<Attacker, 'index'>): Attack[] {
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
    shots('whole stock lists', 10, () => ({ path: `/c/v2/merchants/${key}/offerings`, headers })),
    shots("files of an order's labels", 10, () => ({ path: labels })),
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
        const taken = replies.filter(({ status }) => status === 202)
        // Their rest would disturb the calm that comes next.
        for (const { body } of taken) await batchEnd(origin, shop, String(body['batch_id']))
        return `${taken.length} batches taken in`
      },
    },
    { name: 'reference: slips alone', isReference: true, run: drawOnly },
  ]
}

/** Draws the papers of a batch as the server has them drawn, and nothing else: no server, no database. */
async function drawOnly(stop: AbortSignal): Promise<string> {
  const printer = createSideProcess(
    new URL('../../server/src/documents/papers/paper-program.ts', import.meta.url),
    { waitMs: 60_000, clock: systemClock },
  )
  const papers = Array.from({ length: 20 }, (_, position): PaperToDraw => ({
    position,
    type: 'packingslip',
    paper: 'letter',
    printed: printed(position + 1),
    firstPrintedAt: null,
  }))
  let drawn = 0
  while (!stop.aborted) {
    await printer.ask({ kind: 'draw', papers, madeAt: new Date() } satisfies PaperTask)
    drawn += papers.length
  }
  await printer.stop()
  return `${drawn} slips drawn`
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

await servesApart<Attacker>(
  async (attacker, stop) => (await attacksOf(attacker)[attacker.index]?.run(stop)) ?? '',
)
