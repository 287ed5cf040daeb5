import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import { anOrder } from '../../server/test/orders.ts'

export const shop = 'demo'
const marketplace = `Basic ${Buffer.from('marketplace:marketplace').toString('base64')}`
/** Longer than the server ever takes. */
const answerMs = 60_000
const betweenTriesMs = 200
/** A shop may use its carrier 120 times a minute, and each label is asked for at least twice. */
const betweenLabelsMs = 2_000
const inDoubtMs = 1_000
/** The same request again may succeed. */
const passing = new Set([
  'request_in_progress',
  'changed_elsewhere',
  'labels_being_bought',
  'labels_in_doubt',
])
/** What a caller may see while the database fails over. */
const isAllowed = (status: number) =>
  (status >= 200 && status < 300) || status === 409 || status === 422 || status === 503

interface Change {
  readonly line: string
  readonly as: string
  readonly key: string
  readonly body: unknown
}

/** An answer that the desk has given, and must stand by. */
export interface Acknowledged extends Change {
  readonly orderId: string
  /** Of the order, as the answer says. */
  readonly status: string
  readonly httpStatus: number
  readonly text: string
  readonly sentAt: number
  readonly at: number
}

/** Sends to the servers in turn, as a load balancer does, and counts what comes back. */
export class Desk {
  readonly origins: readonly string[]
  readonly token: string
  readonly statuses = new Map<string, number>()
  #turn = 0

  constructor(origins: readonly string[], token: string) {
    this.origins = origins
    this.token = token
  }

  async send({ line, as, key, body }: Change): Promise<{ status: number; text: string } | undefined> {
    const [method = '', path = ''] = line.split(' ')
    const origin = this.origins[this.#turn++ % this.origins.length] ?? ''
    try {
      const reply = await fetch(`${origin}${path}`, {
        method,
        headers: { authorization: as, 'idempotency-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMs),
      })
      const text = await reply.text()
      this.count(String(reply.status))
      return { status: reply.status, text }
    } catch {
      this.count('no answer')
      return undefined
    }
  }

  count(status: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  /** Answers that no caller should have seen. */
  get wrong(): string[] {
    return [...this.statuses].flatMap(([status, times]) =>
      isAllowed(Number(status)) ? [] : [`${times} times ${status}`],
    )
  }
}

/** Clerks and a marketplace that take orders through their steps, and note each answer before they send the next. */
export class Writers {
  readonly acknowledged: Acknowledged[] = []
  /** Answers that say no to a call that must be possible. */
  readonly refused: string[] = []
  readonly #desk: Desk
  readonly #random: () => number
  readonly #file: number
  #writing: Promise<unknown> | undefined
  #isPaused = true
  #isClosed = false
  #made = 0
  #labelAt = 0

  constructor(desk: Desk, random: () => number, file: string) {
    this.#desk = desk
    this.#random = random
    this.#file = openSync(file, 'a')
  }

  start(count: number): void {
    this.#isPaused = false
    this.#writing = Promise.all(Array.from({ length: count }, () => this.#write()))
  }

  /** Resolves when the orders under way are through their steps. */
  async pause(): Promise<void> {
    this.#isPaused = true
    await this.#writing
  }

  /** Gives up all calls under way: a drill that ends in the middle of a round has nobody to note answers for. */
  close(): void {
    this.#isPaused = true
    this.#isClosed = true
    closeSync(this.#file)
  }

  async #write(): Promise<void> {
    while (!this.#isPaused) await this.#takeOrder()
  }

  async #takeOrder(): Promise<void> {
    const body: NewOrder & { order_weight: number } = { ...anOrder(shop), order_weight: 4.5 }
    const created = await this.#change('POST /marketplace/v1/orders', marketplace, body)
    if (created === undefined) return
    const id = created.orderId
    const choice = this.#random()
    const clerk = `Bearer ${this.#desk.token}`
    if (choice < 0.2) {
      const reason = { reason: { code: 'store_closed' } }
      await this.#change(`POST /m/v2/merchant/${shop}/orders/${id}/reject`, clerk, reason)
      return
    }
    const order = `PUT /m/v2/orders/${id}`
    await this.#change(order, clerk, { status: 'MERCHANT_ACCEPTED' })
    if (choice < 0.4) return
    if (choice < 0.5 && Date.now() >= this.#labelAt) {
      this.#labelAt = Date.now() + betweenLabelsMs
      const boxes = { order_id: id, boxes: [{ weight: 4 }] }
      await this.#change(`POST /m/v2/merchant/${shop}/orders/${id}/shipping_labels`, clerk, boxes)
      return
    }
    await this.#change(order, clerk, {
      status: 'MERCHANT_SHIPPED',
      order: { tracking_provider: 'UPS', tracking_id: `1Z${this.#made}` },
    })
  }

  /** Repeats with the same key until there is an answer, as a careful client does. */
  async #change(line: string, as: string, body: unknown): Promise<Acknowledged | undefined> {
    const key = `drill-${this.#made++}`
    for (;;) {
      const sentAt = Date.now()
      const reply = await this.#desk.send({ line, as, key, body })
      if (this.#isClosed) return undefined
      const said = parsed(reply?.text)
      if (reply !== undefined && reply.status < 300) {
        const order = said.order ?? said
        const { id: orderId = '', status = '' } = order
        const { status: httpStatus, text } = reply
        const entry = { line, as, key, body, orderId, status, httpStatus, text, sentAt, at: Date.now() }
        this.#note(entry)
        return entry
      }
      const isFinal = reply !== undefined && reply.status < 500 && !passing.has(said.code ?? '')
      if (isFinal) {
        this.refused.push(`${line}: ${reply.status} ${reply.text.slice(0, 200)}`)
        return undefined
      }
      await sleep(said.code === 'labels_in_doubt' ? inDoubtMs : betweenTriesMs)
    }
  }

  #note(entry: Acknowledged): void {
    const { orderId, status, key, at } = entry
    writeSync(this.#file, `${JSON.stringify({ orderId, status, key, at })}\n`)
    fdatasyncSync(this.#file)
    this.acknowledged.push(entry)
  }
}

interface Said {
  readonly id?: string
  readonly status?: string
  readonly code?: string
  readonly order?: { readonly id: string; readonly status: string }
}

function parsed(text: string | undefined): Said {
  try {
    return JSON.parse(text ?? '{}') as Said
  } catch {
    return {}
  }
}

/** The marketplace registers the receiver of its events. */
export async function registerWebhook(origin: string, url: string): Promise<void> {
  const reply = await fetch(`${origin}/marketplace/v1/webhook`, {
    method: 'PUT',
    headers: { authorization: marketplace, 'content-type': 'application/json' },
    body: JSON.stringify({ url, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }),
  })
  if (!reply.ok) throw new Error(`The webhook was refused: ${await reply.text()}`)
}
