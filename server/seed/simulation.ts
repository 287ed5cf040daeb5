import type { Client } from '@cellarhand/client'
import { CallFailed } from '@cellarhand/client/call-failed'
import type { DeliveryMethod, OrderStatus } from '@cellarhand/contract/order-statuses'
import { isLocal } from '@cellarhand/contract/order-statuses'
import { methodLabel } from '@cellarhand/contract/labels'
import { formatDollars } from '@cellarhand/contract/money'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { Order } from '@cellarhand/contract/orders'
import { waitsForCustomer } from './corrected-order.ts'
import { generateOrder } from './order-generator.ts'
import { takeStep, type Step } from './order-life.ts'
import { createRandom, type Random } from './random.ts'

export interface SimulationOptions {
  readonly merchantKey: string
  readonly timezone: string
  readonly ordersPerMinute: number
  readonly seed: number
  /** How many times faster than life everything after the order itself goes. */
  readonly pace: number
  /** Tells this run's orders from those of every other run. */
  readonly runName: string
}

export interface SimulationDeps {
  readonly marketplace: Client
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

export interface Tally {
  sent: number
  refused: number
  readonly steps: Partial<Record<Step, number>>
  /** Orders still being followed, by their last known status. */
  open(): Map<OrderStatus, number>
}

interface Followed {
  order: Order
  readonly reference: string
  readonly random: Random
  /** For a customer who cancels unless the shop has accepted by then. */
  readonly cancelsAt: number | undefined
  readonly sentAt: number
  stepNumber: number
  lookAt: number
}

const second = 1_000
const looksAtOnce = 4
const minuteMs = 60 * second
const dayMs = 24 * 60 * minuteMs

const methods: readonly DeliveryMethod[] = [
  ...Array<DeliveryMethod>(9).fill('on_demand'),
  ...Array<DeliveryMethod>(4).fill('scheduled'),
  ...Array<DeliveryMethod>(6).fill('shipped'),
  'preorder',
  'deposit',
]

export interface Simulation {
  readonly tally: Tally
  /** Sends orders at the rate and plays each one's life, until the signal. */
  run(): Promise<void>
}

export function createSimulation(options: SimulationOptions, deps: SimulationDeps): Simulation {
  const { marketplace, say, signal } = deps
  const random = createRandom(options.seed)
  const followed = new Map<string, Followed>()
  const tally: Tally = {
    sent: 0,
    refused: 0,
    steps: {},
    open: () => {
      const counts = new Map<OrderStatus, number>()
      for (const { order } of followed.values()) counts.set(order.status, (counts.get(order.status) ?? 0) + 1)
      return counts
    },
  }
  let number = 0

  async function send(): Promise<void> {
    number++
    const reference = `sim-${options.runName}-${number}`
    const own = createRandom(options.seed * 100_003 + number)
    try {
      const order = await marketplace.createOrder({
        idempotencyKey: reference,
        body: generateOrder(own, wishOf(own, reference)),
      })
      tally.sent++
      say(`#${order.id} sent: ${describe(order)}`)
      const now = Date.now()
      const cancelsAt = own.chance(0.07) ? now + own.between(15, 120) * paced(second) : undefined
      const lookAt = now + paced(3 * second)
      followed.set(order.id, { order, reference, random: own, cancelsAt, sentAt: now, stepNumber: 0, lookAt })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof CallFailed) || error.status === 401) throw error
      tally.refused++
      say(`refused: ${error.message}`)
    }
  }

  const paced = (ms: number) => ms / options.pace

  function wishOf(own: Random, reference: string) {
    const method = own.pick(methods)
    const isPresale = method === 'preorder' || method === 'deposit'
    return {
      merchantKey: options.merchantKey,
      timezone: options.timezone,
      reference,
      submittedAt: new Date(),
      method,
      hasCourier: isLocal(method) && own.chance(0.15),
      presaleReadyAt: isPresale ? new Date(Date.now() + own.between(2, 45) * dayMs) : undefined,
    }
  }

  async function sendAtRate(): Promise<void> {
    const interval = minuteMs / options.ordersPerMinute
    const underWay = new Set<Promise<void>>()
    let dueAt = Date.now()
    while (!signal.aborted) {
      const sending = send().finally(() => underWay.delete(sending))
      underWay.add(sending)
      // Orders do not come by the clock, but over a while they keep to the rate.
      dueAt += interval * (0.5 + random.next())
      await Promise.race([pause(dueAt - Date.now(), signal), failureOf(underWay)])
      if (underWay.size >= looksAtOnce * 4) await Promise.race(underWay)
    }
    await Promise.all(underWay)
  }

  async function look(one: Followed): Promise<void> {
    const before = one.order.status
    one.order = await marketplace.readOrder({ params: { id: one.order.id } })
    if (one.order.status !== before) say(`#${one.order.id} ${statusWords[one.order.status]}`)
    const next = nextStep(one)
    if (next === 'done') followed.delete(one.order.id)
    else if (typeof next === 'number') one.lookAt = Date.now() + paced(next)
    else await act(one, next)
  }

  async function act(one: Followed, step: Step): Promise<void> {
    const { order, reference, random: own } = one
    one.stepNumber++
    const key = `${reference}-${one.stepNumber}`
    const { merchantKey } = options
    try {
      const lifeDeps = { marketplace, clerk: undefined, merchantKey, random: own, now: new Date() }
      one.order = await takeStep(lifeDeps, step, { order, key })
      tally.steps[step] = (tally.steps[step] ?? 0) + 1
      say(`#${order.id} ${stepWords[step] ?? step}`)
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status !== 409) throw error
      say(`#${order.id} somebody was faster (${stepWords[step] ?? step} is too late)`)
    }
    one.lookAt = Date.now() + paced(own.between(2, 6) * second)
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const now = Date.now()
      const due = [...followed.values()]
        .filter(({ lookAt }) => lookAt <= now)
        .toSorted((a, b) => a.lookAt - b.lookAt)
        .slice(0, looksAtOnce)
      await Promise.all(due.map(look))
      await pause(due.length === looksAtOnce ? 50 : 250, signal)
    }
  }

  return {
    tally,
    async run() {
      try {
        await Promise.all([sendAtRate(), follow()])
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}

/** Settles only when one of the promises fails, and then fails too. */
function failureOf(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  return new Promise((_, reject) => {
    for (const promise of underWay) promise.catch(reject)
  })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.max(0, ms))
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

/** The outside world's next move: a step now, a wait in milliseconds before the next look, or nothing more. */
function nextStep({ order, random, cancelsAt, sentAt }: Followed): Step | number | 'done' {
  switch (order.status) {
    case 'SUBMITTED':
      if (cancelsAt !== undefined && Date.now() > cancelsAt) return 'cancel'
      // The longer a shop leaves an order, the less often it is looked at.
      return Math.min(20 * second, Math.max(2 * second, (Date.now() - sentAt) / 10))
    case 'MERCHANT_ACCEPTED':
      return 'submit_payment'
    case 'PAYMENT_SUBMITTED':
      return random.chance(0.93) ? 'approve_payment' : 'decline_payment'
    case 'PAYMENT_DECLINED':
      return pickLater(random, random.chance(0.7) ? 'approve_payment' : 'cancel')
    case 'REJECTED_PARTIAL':
      if (waitsForCustomer(order)) return 3 * second
      if (order.substitutes?.agreed !== undefined) return 'resume'
      return pickLater(random, random.chance(0.8) ? 'resume' : 'cancel')
    case 'PAYMENT_APPROVED':
      return 6 * second
    case 'MERCHANT_SHIPPED':
      if (isLocal(order.delivery.method) || order.shipment_info.length === 0) return 10 * second
      return pickLater(random, random.chance(0.4) ? 'move' : 'carrier_deliver')
    default:
      return 'done'
  }
}

/** Now and then, on a look, the step happens. */
function pickLater(random: Random, step: Step): Step | number {
  return random.chance(0.25) ? step : 5 * second
}

const stepWords: Partial<Record<Step, string>> = {
  submit_payment: 'payment sent',
  approve_payment: 'payment approved',
  decline_payment: 'payment declined',
  cancel: 'cancelled by the customer',
  resume: 'resumed: the customer agreed to the change',
  move: 'parcel on its way',
  carrier_deliver: 'parcel delivered',
}

const statusWords: Readonly<Record<OrderStatus, string>> = {
  SUBMITTED: 'waits for the shop',
  MERCHANT_ACCEPTED: 'accepted by the shop',
  PAYMENT_SUBMITTED: 'payment under way',
  PAYMENT_APPROVED: 'paid',
  PAYMENT_DECLINED: 'not paid',
  MERCHANT_SHIPPED: 'sent off by the shop',
  CLOSED: 'closed',
  REJECTED_PARTIAL: 'held by the shop: lines reported',
  MERCHANT_REJECTED: 'rejected by the shop',
  CANCELLED: 'cancelled',
  DISPUTED: 'disputed',
  REFUNDED: 'refunded',
}

function describe(order: Order): string {
  const lines = ownLines(order).length
  return [
    methodLabel(order.delivery.method, order.courier_estimate_id),
    `${lines} ${lines === 1 ? 'line' : 'lines'}`,
    formatDollars(order.transaction.total),
    `${order.customer.first_name} ${order.customer.last_name}`,
    order.application_name,
  ].join(', ')
}
