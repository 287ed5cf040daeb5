import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Order } from '@cellarhand/contract/orders'
import { anOrder } from './orders.ts'

export interface Acknowledged {
  readonly id: string
  readonly version: number
}

/** The address and the credential of the marketplace's writing, and the merchant's key. */
export interface MovingShop {
  readonly origin: string
  readonly key: string
  readonly authorization: string
}

/** A marketplace that writes until `stop`: it tries again after a 503, and follows a 308. */
export function startMarketplace({ origin, key: shopKey, authorization }: MovingShop) {
  const acknowledged = new Map<string, Acknowledged>()
  const refused: { atMs: number; untilMs: number; status: number; code: string | undefined }[] = []
  const led: string[] = []
  let longestMs = 0
  let isStopping = false
  let count = 0
  let base = origin

  async function change(path: string, key: string, body: unknown): Promise<Order> {
    const firstMs = performance.now()
    for (let url = `${base}${path}`; ;) {
      const atMs = performance.now()
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (answer.ok) {
        longestMs = Math.max(longestMs, performance.now() - firstMs)
        return JSON.parse(text) as Order
      }
      const { code } = JSON.parse(text || '{}') as { code?: string }
      refused.push({ atMs, untilMs: performance.now(), status: answer.status, code })
      if (answer.status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
      else if (answer.status === 308) {
        led.push((url = answer.headers.get('location') ?? ''))
        base = new URL(url).origin
      } else throw new Error(`${answer.status} ${text}`)
    }
  }
  async function write(name: number) {
    while (!isStopping) {
      const key = `${name}-${count++}`
      const order = await change('/marketplace/v1/orders', key, anOrder(shopKey))
      acknowledged.set(order.id, order)
      if (count % 2 === 0) continue
      const changed = await change(`/marketplace/v1/orders/${order.id}/status`, `${key}-cancel`, {
        status: 'CANCELLED',
      })
      acknowledged.set(order.id, changed)
    }
  }
  const writing = Promise.all([1, 2, 3].map(write))
  // Its failure is told by `stop`, also when that comes later.
  writing.catch(() => undefined)
  return {
    acknowledged,
    refused,
    led,
    /** The longest time from a change's first try to its good answer. */
    longestMs: () => longestMs,
    async stop() {
      isStopping = true
      await writing
    },
  }
}

export interface Receiver {
  /** The body of a cell's call that registers the webhook. */
  readonly registration: { readonly url: string; readonly secret: string }
  readonly received: readonly { readonly id: string; readonly body: string }[]
  close(): void
}

export async function receiveWebhooks(): Promise<Receiver> {
  const received: { id: string; body: string }[] = []
  const server = http.createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id']), body })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    registration: {
      url: `http://127.0.0.1:${port}/hook`,
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    },
    received,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The id that the manifest of an exported folder has. */
export async function exportIdOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as { export_id: string }
  return manifest.export_id
}
