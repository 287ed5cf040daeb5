import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { shop, type Desk } from './desk.ts'

const betweenReadsMs = 300
const reconnectMs = 500
/** A clerk waits no longer for a list. */
const readMs = 15_000

/** The marketplace's receiver: takes every event. */
export async function receiveWebhooks(): Promise<{ url: string; ids: Set<string>; close(): void }> {
  const ids = new Set<string>()
  const server = createServer((request, reply) => {
    request.resume().on('end', () => {
      ids.add(String(request.headers['webhook-id']))
      reply.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, ids, close: () => server.close() }
}

/** A dashboard that comes back after each cut and resumes from the last event that it saw. */
export class Follower {
  /** Positions of the events. */
  readonly seen = new Set<number>()
  /** How often it had to begin anew. */
  reloads = 0
  #lastId: string | undefined
  readonly #over = new AbortController()
  readonly #loop: Promise<void>

  constructor(origin: string, desk: Desk) {
    this.#loop = this.#follow(origin, desk)
  }

  isOpen(): boolean {
    return this.#lastId !== undefined
  }

  async stop(): Promise<void> {
    this.#over.abort()
    await this.#loop
  }

  async #follow(origin: string, desk: Desk): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#read(origin, desk).catch(() => undefined)
      await sleep(reconnectMs)
    }
  }

  async #read(origin: string, desk: Desk): Promise<void> {
    const reply = await fetch(`${origin}/m/v2/merchant/${shop}/events`, {
      headers: {
        authorization: `Bearer ${desk.token}`,
        ...(this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }),
      },
      signal: this.#over.signal,
    })
    desk.count(String(reply.status))
    if (!reply.ok || reply.body === null) return
    let unread = ''
    for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (unread + chunk).split('\n\n')
      unread = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
    }
  }

  #take(block: string): void {
    const id = /^id: (.*)$/m.exec(block)?.[1]
    const event = /^event: (.*)$/m.exec(block)?.[1]
    if (id !== undefined) this.#lastId = id
    if (event === 'reload') this.reloads++
    if (event?.startsWith('order.') === true) this.seen.add(Number(id))
  }
}

/** A clerk that looks at the list again and again. */
export class Reader {
  readonly failures: { readonly at: number; readonly why: string }[] = []
  #isOver = false
  #loop: Promise<unknown>

  constructor(desk: Desk) {
    this.#loop = Promise.all(desk.origins.map((origin) => this.#read(desk, origin)))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#loop
  }

  async #read(desk: Desk, origin: string): Promise<void> {
    while (!this.#isOver) {
      const at = Date.now()
      const why = await lookAtList(desk, origin)
      if (why !== undefined) this.failures.push({ at, why })
      await sleep(betweenReadsMs)
    }
  }
}

async function lookAtList(desk: Desk, origin: string): Promise<string | undefined> {
  try {
    const reply = await fetch(`${origin}/m/v2/merchant/${shop}/orders/optimized`, {
      headers: { authorization: `Bearer ${desk.token}` },
      signal: AbortSignal.timeout(readMs),
    })
    await reply.text()
    desk.count(String(reply.status))
    return reply.ok ? undefined : String(reply.status)
  } catch (error) {
    return String(error)
  }
}
