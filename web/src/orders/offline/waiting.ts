import type { TransitionRefusal } from '@cellarhand/contract/orders'
import type { QueryClient } from '@tanstack/react-query'
import { CallError, callWith, type Line } from '#lib/calls/call.ts'
import { lineState } from '#lib/calls/line-state.ts'
import { canSeal, getSealed, putSealed, removeSealed } from '#lib/device/sealed-store.ts'
import { DECISIONS_LOCK as LOCK, keepNotSent } from '#lib/kept/not-sent.ts'
import { createStore } from '#lib/kept/store.ts'
import { sessionNumber } from '#lib/kept/stored-session.ts'
import { LATE_MS } from '#lib/parts/use-late.ts'
import { track } from '#lib/reports/analytics.ts'
import { session } from '#sign-in/public.ts'
import { takeBackFailure, tellFailure, toast } from '#ui/notes/toasts.tsx'
import { refusalWords } from '../order/first-words.ts'
import { notSent } from '../order/unconfirmed.ts'
import { knownOrder, replaceOrder } from '../state/order-cache.ts'
import { paintAhead } from '../state/paint-ahead.ts'
import type { Order } from '../state/queries.ts'
import { orderQuery } from '../state/queries.ts'
import * as queues from './decision-queue.ts'
import type { Device } from './decision-device.ts'
import { keepDuring, keepInstead, sendWaiting } from './decision-device.ts'
import type { Decision, Queue } from './decision-queue.ts'

const AGAIN_MS = 15_000
const ASK_AGAIN_MS = 300
const PATIENCE_MS = 1_000

/** This person's decisions on this device, the same in every tab. */
export const decisions = createStore<Queue>([])

const nameOf = (user: string): string => `decisions ${user}`
const lockOf = (key: string): string => `${LOCK} ${key}`
const userId = (): string | undefined => session.get().user?.id

const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(LOCK) : undefined

export function canWait(): boolean {
  return canSeal() && 'locks' in navigator
}

const device: Device = {
  async change(user, to) {
    return navigator.locks.request(LOCK, async () => {
      const before = await read(user)
      const changed = to(before)
      // A sign-out leaves only the decisions that were not sent, also when an answer comes after it.
      const after = user === userId() ? changed : queues.dropSettled(changed)
      if (after !== before) await write(user, after)
      show(user, after)
      if (after !== before) tabs?.postMessage('')
      return after
    })
  },
  hold(key) {
    let end = (): void => undefined
    const called = new Promise<void>((resolve) => (end = resolve))
    // The browser gives up the lock with the page.
    void navigator.locks.request(lockOf(key), () => called).catch(() => undefined)
    return end
  },
  async held() {
    const { held = [] } = await navigator.locks.query()
    const names = new Set(held.map(({ name }) => name))
    return (key) => names.has(lockOf(key))
  },
  async alone(work) {
    await navigator.locks.request(`${LOCK} sender`, { ifAvailable: true }, async (lock) => {
      if (lock) await work()
    })
  },
}

/** The device keeps the decision for the time of its call. */
export function keepForCall<R>(decision: Decision, call: () => Promise<R>): Promise<R> {
  const number = sessionNumber()
  // After the session's end this page tells no outcome: its person finds the decision after the next sign-in.
  const isUntold = (error: unknown): boolean => sessionNumber() !== number && !isRefusal(error)
  return keepDuring(device, decision, { call, isUntold })
}

/** The device keeps the decisions of one person in place of calls; returns the kept ones. */
export function keepWaiting(by: string, waiting: Queue): Promise<Queue> {
  return keepInstead(device, by, waiting)
}

async function read(user: string): Promise<Queue> {
  const found = await getSealed(nameOf(user), { kind: 'person', id: user })
  return Array.isArray(found) ? (found as Queue) : []
}

async function write(user: string, queue: Queue): Promise<void> {
  if (queue.length === 0) await removeSealed(nameOf(user))
  else await putSealed(nameOf(user), { kind: 'person', id: user }, queue)
  keepNotSent(user, queue.filter(({ state }) => state === 'waiting' || state === 'sending').length)
}

/** Of the changes that this page shows ahead of the server. */
const takeBacks = new Map<string, () => void>()
let desk: QueryClient | undefined

function show(user: string, queue: Queue): void {
  if (user !== userId()) return
  // Its page shows a call under way as always.
  const settled = queue.filter(({ state }) => state !== 'calling')
  if (settled.length > 0 || decisions.get().length > 0) decisions.set(settled)
  const open = settled.filter(queues.isOpen)
  if (open.length > 0 || notSent.get().size > 0)
    notSent.set(
      new Map(
        open.map((each) => [
          each.orderId,
          { words: wordsOf(each), undo: queues.canUndo(each) ? () => void undoPress(each) : undefined },
        ]),
      ),
    )
  takeBackWithout(queue)
  for (const each of open) paint(each)
}

/** What this page shows ahead of the server goes with its decision, which another tab may have undone. */
function takeBackWithout(queue: Queue): void {
  for (const [key, takeBack] of takeBacks) {
    const decision = queue.find((each) => each.key === key)
    if (decision && queues.isOpen(decision)) continue
    takeBacks.delete(key)
    if (decision?.state !== 'done') takeBack()
  }
}

/** Undoes a decision at a press, or says that it is too late. */
export async function undoPress({ key, orderId }: Decision): Promise<void> {
  const action = `undo ${orderId}`
  takeBackFailure(action)
  if (!(await undo(key)))
    tellFailure(action, `#${orderId} was already sent`, 'Open the order to see how it ended.')
}

function wordsOf({ decided }: Decision): string {
  return decided === 'accept' ? 'not sent yet' : 'reject not sent yet'
}

/** An accept shows as one, and says that it was not sent. A reject stays where the clerk can undo it. */
function paint({ key, orderId, decided }: Decision): void {
  if (!desk || takeBacks.has(key) || decided !== 'accept') return
  const order = knownOrder(desk, orderId)
  if (order?.status !== 'SUBMITTED') return
  const expected = (each: Order): Order => ({ ...each, status: 'MERCHANT_ACCEPTED' })
  takeBacks.set(key, paintAhead(desk, order, expected))
}

/** The page shows the decision ahead of the server; an undo or a refusal takes that back. */
export function takeBackWith(key: string, takeBack: () => void): void {
  takeBacks.set(key, takeBack)
}

/** False if it went out meanwhile. */
async function undo(key: string): Promise<boolean> {
  const user = userId()
  if (user === undefined) return false
  const after = await device.change(user, (queue) => queues.undo(queue, key))
  return !after.some((each) => each.key === key)
}

export async function clearSent(): Promise<void> {
  const user = userId()
  if (user !== undefined) await device.change(user, queues.clearSent)
}

export async function seeRefusal(key: string): Promise<void> {
  const user = userId()
  if (user !== undefined) await device.change(user, (queue) => queues.see(queue, key))
}

/** Shows what waits before the page shows its rows; a device that hangs delays them by a second at most. */
export async function showWaiting(queryClient: QueryClient): Promise<void> {
  const user = userId()
  if (user === undefined || !canWait()) return
  desk = queryClient
  const shown = device.change(user, (queue) => queue).then(() => sendAll(user))
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([shown.catch(() => undefined), patience])
}

/** Shows what waits, and sends it whenever the line is there; returns the function that ends this. */
export function startWaiting(queryClient: QueryClient): () => void {
  const user = userId()
  if (user === undefined || !canWait()) return () => undefined
  desk = queryClient
  let isEarly = true
  // At first nobody knows yet whether the line is there, and what waits for that would show for a moment.
  const look = (): void => {
    if (!isEarly || lineState.get() !== 'unknown') void sendAll(user).catch(() => undefined)
  }
  const first = setTimeout(() => {
    isEarly = false
    look()
  }, LATE_MS)
  // In turn with the changes, so that what it shows is never older than they are.
  const follow = async (): Promise<void> => void (await device.change(user, (queue) => queue))
  if (tabs) tabs.onmessage = () => void follow().catch(() => undefined)
  const unlisten = lineState.listen(look)
  const again = setInterval(look, AGAIN_MS)
  void follow()
    .catch(() => undefined)
    .then(look)
  return () => {
    unlisten()
    clearInterval(again)
    clearTimeout(first)
    if (user !== userId()) void follow().catch(() => undefined)
    // The next person on this device sees nothing of them.
    decisions.set([])
    notSent.set(new Map())
    takeBacks.clear()
  }
}

async function sendAll(user: string): Promise<void> {
  if ((await read(user)).length === 0) return
  const number = sessionNumber()
  const mayGoOn = (): boolean => lineState.get() === 'there' && number === sessionNumber()
  const finishThis = (decision: Decision) => finish(decision, mayGoOn)
  await sendWaiting(device, user, { mayGoOn, send, finish: finishThis, tellDone })
}

/** The server may still be at the first request with this key. */
async function finish(decision: Decision, mayGoOn: () => boolean): Promise<queues.Answer | undefined> {
  const until = Date.now() + LATE_MS
  let answer = await trySend(decision, { limitMs: LATE_MS })
  while (answer === 'in progress' && mayGoOn() && Date.now() + ASK_AGAIN_MS < until) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    if (mayGoOn()) answer = await trySend(decision, { limitMs: until - Date.now() })
  }
  // Nobody reads a message on a hidden page: there the list tells the outcome.
  return answer === 'in progress' || document.visibilityState === 'hidden' ? undefined : answer
}

function tellDone({ orderId }: Decision): void {
  toast('success', `Order #${orderId} was updated successfully!`)
}

const events = { accept: 'Accept Order', reject: 'Reject Order' }

async function send(decision: Decision): Promise<queues.Answer | undefined> {
  const answer = await trySend(decision)
  return answer === 'in progress' ? undefined : answer
}

async function trySend(
  decision: Decision,
  limit: { limitMs?: number } = {},
): Promise<queues.Answer | 'in progress' | undefined> {
  const { key, orderId, decided, line, input } = decision
  const takeBack = takeBacks.get(key)
  try {
    const changed = await callWith<Line>(line, input as never, { idempotencyKey: key, ...limit })
    takeBacks.delete(key)
    if (desk) replaceOrder(desk, changed as Order)
    void desk?.invalidateQueries({ queryKey: orderQuery(orderId).queryKey })
    track(events[decided])
    return { state: 'done', words: '', answeredAt: Date.now() }
  } catch (error) {
    if (!isRefusal(error))
      return error instanceof CallError && error.code === 'request_in_progress' ? 'in progress' : undefined
    takeBacks.delete(key)
    takeBack?.()
    const { order } = error.body as Partial<TransitionRefusal>
    if (desk && order) replaceOrder(desk, order)
    return { state: 'refused', words: refusalWords(error), answeredAt: Date.now() }
  }
}

/**
 * An answer that the same call would get again. A session that ended is none: its person signs in and goes on. A page
 * that a proxy or a portal answers with is none either: each of the server's own has a code. That the shop has moved says
 * nothing of a try before.
 */
function isRefusal(error: unknown): error is CallError {
  return (
    error instanceof CallError &&
    error.status < 500 &&
    error.code !== '' &&
    ![401, 408, 429].includes(error.status) &&
    !['request_in_progress', 'two_step_setup_required', 'merchant_moved_away'].includes(error.code)
  )
}
