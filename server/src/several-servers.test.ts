import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type ClonedDatabase } from '../test/database/cloned-database.ts'
import { urlOf } from '../test/database/database-url.ts'
import { applicationCredential, marketplaceCredential } from '../test/desk.ts'
import { listen, type EventReader } from '../test/event-reader.ts'
import { eventually } from '../test/eventually.ts'
import { anOrder } from '../test/orders.ts'
import { createMerchant } from './merchants/public.ts'
import { systemClock } from './platform/clock/system-clock.ts'
import { openDatabase } from './platform/db/database.ts'

const shop = 'harbor'
const owner = { email: 'owner@harbor.example', password: 'a-password-for-tests' }
const minuteMs = 60_000

const folder = mkdtempSync(join(tmpdir(), 'cellarhand-several-'))
let started = 0
let database: ClonedDatabase
let proxy: Proxy
const servers: Server[] = []

interface Server {
  readonly port: number
  readonly child: ChildProcess
}

async function startServer(): Promise<Server> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
    env: {
      ...process.env,
      DATABASE_URL: urlOf(database.address),
      DEMO: '1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      // The leaving one is asked meanwhile.
      DRAIN_SECONDS: '10',
      DATA_DIR: join(folder, String(started++)),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  await eventually(() => expect(out).toMatch(/ready at .*:\d+/))
  const server = { port: Number(/ready at .*:(\d+)/.exec(out)?.[1]), child }
  servers.push(server)
  return server
}

interface Proxy {
  readonly url: string
  stop(): void
}

/** The smallest load balancer: one server after another, and the next one when a server does not answer. */
async function startProxy(): Promise<Proxy> {
  let turn = 0
  const balancer = http.createServer((incoming, outgoing) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part as Buffer)
      forward({ incoming, outgoing, body: Buffer.concat(parts) }, servers.length)
    })()
  })
  interface Exchange {
    readonly incoming: http.IncomingMessage
    readonly outgoing: http.ServerResponse
    readonly body: Buffer
  }
  function forward(exchange: Exchange, triesLeft: number): void {
    const { incoming, outgoing, body } = exchange
    const port = servers[turn++ % servers.length]?.port
    const { method, url: path, headers } = incoming
    const call = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    outgoing.on('close', () => call.destroy())
    call.on('error', () => {
      if (outgoing.headersSent || outgoing.destroyed) return
      if (triesLeft > 0) forward(exchange, triesLeft - 1)
      else outgoing.writeHead(502).end()
    })
    call.end(body)
  }
  balancer.listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  const { port } = balancer.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      balancer.closeAllConnections()
      balancer.close()
    },
  }
}

beforeAll(async () => {
  database = await cloneDatabase()
  const db = openDatabase(database.address, {
    clock: systemClock,
    onIdleError: () => undefined,
    limits: { app: 1, system: 1 },
  })
  await createMerchant(db, {
    key: shop,
    name: 'Harbor',
    email: 'shop@harbor.example',
    phone: '+12125550123',
    timezone: 'America/New_York',
    address: { street_1: '1 Pier', street_2: null, city: 'New York', state: 'NY', zipcode: '10001' },
    owner: { ...owner, firstName: 'Ona', lastName: 'Harbor' },
  })
  await database.owner.query('update merchants set payment_set_up = true')
  await db.close()
  await Promise.all([startServer(), startServer(), startServer()])
  proxy = await startProxy()
}, 3 * minuteMs)
afterAll(async () => {
  proxy.stop()
  for (const { child } of servers) child.kill('SIGKILL')
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Repeats with the same key until there is an answer, as a careful client does. */
async function send(method: string, path: string, request: { as: string; key: string; body: unknown }) {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${proxy.url}${path}`, {
      method,
      headers: {
        authorization: request.as,
        'idempotency-key': request.key,
        'content-type': 'application/json',
      },
      body: JSON.stringify(request.body),
    }).catch(() => undefined)
    const body = (await answer?.json().catch(() => undefined)) as Order | undefined
    const isFinal = answer !== undefined && body !== undefined && answer.status < 500
    const isStillRunning = (body as { code?: string } | undefined)?.code === 'request_in_progress'
    if ((isFinal && !isStillRunning) || tries === 50) return { status: answer?.status, body }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function signIn(): Promise<string> {
  const { body } = await send('POST', '/a/v2/sessions', {
    as: applicationCredential,
    key: 'sign-in',
    body: owner,
  })
  return (body as unknown as { token: string }).token
}

/** A dashboard that returns after each cut, and resumes from the last event it saw. */
async function follow(token: string) {
  const seen: string[] = []
  let isOver = false
  let reader: EventReader | undefined
  const loop = (async () => {
    let lastId: string | undefined
    while (!isOver) {
      reader = await listen({ url: proxy.url } as never, {
        key: shop,
        as: { id: '', email: '', token },
        lastId,
      }).catch(() => undefined)
      await reader?.ended.catch(() => undefined)
      for (const { event, data } of reader?.events ?? [])
        if (event === 'order.created') seen.push((data as { id: string }).id)
      lastId = reader?.lastId() ?? lastId
      // Long enough for it to miss some events.
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })()
  await eventually(() => expect(reader).toBeDefined())
  return {
    async stop() {
      isOver = true
      await reader?.cut()
      await loop
      return seen
    },
    sees: (id: string) =>
      seen.includes(id) || reader?.events.some(({ data }) => (data as { id?: string }).id === id) === true,
  }
}

test(
  'GAP-81 of three servers one is killed and one restarted while orders come: each order is stored, accepted and sent once',
  async () => {
    const token = await signIn()
    const dashboard = await follow(token)
    const refs = Array.from({ length: 60 }, (_, place) => `ref-${place}`)
    const accepted: Order[] = []
    const work = refs.values()
    const worker = async () => {
      for (const ref of work) {
        const order = await send('POST', '/marketplace/v1/orders', {
          as: marketplaceCredential,
          key: ref,
          body: anOrder(shop, { thirstie_logistic_order_ref: ref }),
        })
        expect([order.status, order.body?.thirstie_logistic_order_ref]).toEqual([201, ref])
        const answer = await send('PUT', `/m/v2/orders/${order.body?.id ?? ''}`, {
          as: `Bearer ${token}`,
          key: `accept-${ref}`,
          body: { status: 'MERCHANT_ACCEPTED' },
        })
        expect([answer.status, answer.body?.status]).toEqual([200, 'MERCHANT_ACCEPTED'])
        if (answer.body !== undefined) accepted.push(answer.body)
      }
    }
    const [restarted, killed] = servers
    const mishaps = (async () => {
      await eventually(() => expect(accepted.length).toBeGreaterThan(10))
      killed?.child.kill('SIGKILL')
      await eventually(() => expect(accepted.length).toBeGreaterThan(25))
      const left = once(restarted?.child ?? process, 'exit') as Promise<[number | null]>
      restarted?.child.kill('SIGTERM')
      // The signal takes a moment to arrive.
      await eventually(async () => {
        const ready = await fetch(`http://127.0.0.1:${restarted?.port}/readyz`)
        expect([ready.status, await ready.json()]).toMatchObject([503, { code: 'leaving' }])
      })
      const [code] = await left
      expect(code).toBe(0)
      await startServer()
    })()
    await Promise.all([...Array.from({ length: 6 }, worker), mishaps])

    const ids = accepted.map((order) => order.id)
    expect(new Set(ids).size).toBe(60)
    await eventually(() => expect(ids.filter((id) => !dashboard.sees(id))).toEqual([]))
    const told = await dashboard.stop()
    expect(told.toSorted()).toEqual(ids.toSorted())
    const { rows } = await database.owner.query(
      `select count(*)::int as orders, sum((select count(*) from order_history h where h.order_id = o.order_id))::int as steps,
         (select sum(n)::int from order_counts where tab = 'active') as counted from orders o`,
    )
    expect(rows).toEqual([{ orders: 60, steps: 120, counted: 60 }])
  },
  5 * minuteMs,
)
