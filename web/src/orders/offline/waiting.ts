import { actionLabels } from '@cellarhand/contract/decisions'
import type { TransitionRefusal } from '@cellarhand/contract/orders'
import type { QueryClient } from '@tanstack/react-query'
import { CallError, callWith, type Line } from '#lib/calls/call.ts'
import { line as connection } from '#lib/calls/is-reached.ts'
import { canSeal, getSealed, putSealed, removeSealed } from '#lib/device/sealed-store.ts'
import { kept } from '#lib/kept/browser-storage.ts'
import { createStore } from '#lib/kept/store.ts'
import { sessionNumber } from '#lib/kept/stored-session.ts'
import { formatTime } from '#lib/time/dates.ts'
import { shopZone } from '#lib/time/shop-day.ts'
import { session } from '#sign-in/public.ts'
import { liveState } from '../live/live-state.ts'
import { notSent } from '../order/unconfirmed.ts'
import { findListed, replaceOrder } from '../state/order-cache.ts'
import { paintAhead } from '../state/paint-ahead.ts'
import type { Order } from '../state/queries.ts'
import { orderQuery } from '../state/queries.ts'
import * as queues from './decision-queue.ts'
import type { Decision, Queue } from './decision-queue.ts'

/** The sign-in page says how many decisions wait for their person. */
const COUNT = 'cellarhand-not-sent'
const LOCK = 'cellarhand-decisions'

/** This person's decisions on this device, the same in every tab. */
export const decisions = createStore<Queue>([])

const nameOf = (user: string): string => `decisions ${user}`
const userId = (): string | undefined => session.get().user?.id

const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(LOCK) : undefined

/** One change at a time over all tabs; it counts once the device keeps it. */
async function change(user: string, to: (queue: Queue) => Queue): Promise<Queue> {
  return navigator.locks.request(LOCK, async () => {
    const before = await read(user)
    const after = to(before)
    if (after !== before) await write(user, after)
    show(user, after)
    tabs?.postMessage('')
    return after
  })
}

async function read(user: string): Promise<Queue> {
  const found = await getSealed(nameOf(user), { kind: 'person', id: user })
  return Array.isArray(found) ? (found as Queue) : []
}

async function write(user: string, queue: Queue): Promise<void> {
  if (queue.length === 0) await removeSealed(nameOf(user))
  else await putSealed(nameOf(user), { kind: 'person', id: user }, queue)
  const open = queue.filter(queues.isOpen).length
  if (open > 0) kept.set(COUNT, String(open))
  else kept.remove(COUNT)
}

/** Calls of this page that have not been answered yet; their command shows them itself. */
const underWay = new Set<string>()
const takeBacks = new Map<string, () => void>()
let desk: QueryClient | undefined

function show(user: string, queue: Queue): void {
  if (user !== userId()) return
  const settled = queue.filter(({ key }) => !underWay.has(key))
  decisions.set(settled)
  const open = settled.filter(queues.isOpen)
  notSent.set(new Map(open.map((each) => [each.orderId, wordsOf(each)])))
  for (const each of open) paint(each)
}

function wordsOf({ decided }: Decision): string {
  return decided === 'accept' ? 'not sent yet' : 'reject not sent yet'
}

/** An accept shows as one, and says that it was not sent. A reject stays where the clerk can undo it. */
function paint({ key, orderId, decided }: Decision): void {
  if (!desk || takeBacks.has(key) || decided !== 'accept') return
  const order = desk.getQueryData(orderQuery(orderId).queryKey) ?? findListed(desk, orderId)
  if (order?.status !== 'SUBMITTED') return
  const expected = (each: Order): Order => ({ ...each, status: 'MERCHANT_ACCEPTED' })
  takeBacks.set(key, paintAhead(desk, order, expected))
}

export function canWait(): boolean {
  return canSeal() && 'locks' in navigator
}

/** Before the call of a command goes out: a reload in the meantime loses nothing. */
export async function keepSending(decision: Decision): Promise<void> {
  underWay.add(decision.key)
  await change(decision.by, (queue) => queues.take(queue, decision))
}

/** The command has its answer, which the page shows as always. */
export async function forgetSent({ key, by }: Decision): Promise<void> {
  underWay.delete(key)
  await change(by, (queue) => queue.filter((each) => each.key !== key))
}

/** The command got no answer, or never went out: from now on it waits here. */
export async function keepWaiting(decision: Decision, takeBack?: () => void): Promise<void> {
  underWay.delete(decision.key)
  if (takeBack) takeBacks.set(decision.key, takeBack)
  await change(decision.by, (queue) =>
    queues.lose(queues.take(queue, { ...decision, state: 'sending' }), decision.key),
  )
}

/** False if it went out meanwhile. */
export async function undo(key: string): Promise<boolean> {
  const user = userId()
  if (user === undefined) return false
  const after = await change(user, (queue) => queues.undo(queue, key))
  if (after.some((each) => each.key === key)) return false
  takeBacks.get(key)?.()
  takeBacks.delete(key)
  return true
}

export async function closeAnswered(): Promise<void> {
  const user = userId()
  if (user !== undefined) await change(user, queues.close)
}

const AGAIN_MS = 15_000

/** The stream is open, or something that lets calls pass holds it back. */
function isReachable(): boolean {
  return liveState.get().kind === 'live' || !connection.isAway
}

/** Shows what waits, and sends it whenever the line is there; returns the function that ends this. */
export function startWaiting(queryClient: QueryClient): () => void {
  const user = userId()
  if (user === undefined || !canWait()) return () => undefined
  desk = queryClient
  const send = (): void => {
    if (isReachable()) void sendAll(user).catch(() => undefined)
  }
  const follow = async (): Promise<void> => show(user, await read(user))
  if (tabs) tabs.onmessage = () => void follow()
  const unlisten = liveState.listen(send)
  const again = setInterval(send, AGAIN_MS)
  void change(user, (queue) =>
    queue.some(({ key, state }) => state === 'sending' && !underWay.has(key)) ? queues.reopen(queue) : queue,
  ).then(send)
  return () => {
    unlisten()
    clearInterval(again)
  }
}

/** One decision after the other, from one tab. */
async function sendAll(user: string): Promise<void> {
  await navigator.locks.request(`${LOCK} sender`, { ifAvailable: true }, async (lock) => {
    const number = sessionNumber()
    while (lock && isReachable() && number === sessionNumber()) {
      const next = queues.nextToSend(decisions.get())
      if (!next) return
      await change(user, (queue) => queues.begin(queue, next.key))
      if (!(await sendOne(next))) return
    }
  })
}

/** False without an answer. */
async function sendOne({ key, by, orderId, line, input }: Decision): Promise<boolean> {
  const settle = async (given: Omit<queues.Answer, 'answeredAt'>): Promise<true> => {
    takeBacks.delete(key)
    await change(by, (queue) => queues.answer(queue, key, { ...given, answeredAt: Date.now() }))
    return true
  }
  try {
    const changed = await callWith<Line>(line, input as never, { idempotencyKey: key })
    if (desk) replaceOrder(desk, changed as Order)
    void desk?.invalidateQueries({ queryKey: orderQuery(orderId).queryKey })
    return await settle({ state: 'done', words: '' })
  } catch (error) {
    if (!isRefusal(error)) {
      await change(by, (queue) => queues.lose(queue, key))
      return false
    }
    takeBacks.get(key)?.()
    const { order, latest } = error.body as Partial<TransitionRefusal>
    if (desk && order) replaceOrder(desk, order)
    return settle({ state: 'refused', words: latest ? describeFirst(latest) : error.message })
  }
}

/** An answer that the same call would get again. A session that ended is none: its person signs in and goes on. */
function isRefusal(error: unknown): error is CallError {
  return (
    error instanceof CallError &&
    error.status < 500 &&
    ![401, 408, 429].includes(error.status) &&
    error.code !== 'request_in_progress'
  )
}

/** What somebody else decided first. */
export function describeFirst(latest: NonNullable<TransitionRefusal['latest']>): string {
  const labels: Record<string, string> = actionLabels
  return `${latest.actor} was faster: ${labels[latest.action] ?? latest.action} at ${formatTime(latest.at, shopZone())}.`
}
