import type { Answer, Decision, Queue } from './decision-queue.ts'
import * as queues from './decision-queue.ts'

/** What all pages of one browser share. */
export interface Device {
  /** One change at a time over all pages; it counts once the device keeps it. */
  change: (user: string, to: (queue: Queue) => Queue) => Promise<Queue>
  /** Marks a call of this page as under way, until the returned function is called or the page ends. */
  hold: (key: string) => () => void
  /** Tells which calls are under way in any page. */
  held: () => Promise<(key: string) => boolean>
  /** Does the work unless another page is at it. */
  alone: (work: () => Promise<void>) => Promise<void>
}

/**
 * Keeps one person's decisions, and returns those that are kept. The others: the device cannot keep them, or another
 * decision about their order is still open.
 */
export async function keepInstead(device: Device, by: string, decisions: Queue): Promise<Queue> {
  const after = await device.change(by, (queue) => decisions.reduce(queues.take, queue)).catch(() => [])
  return decisions.filter((each) => after.some(({ key }) => key === each.key))
}

interface Called<R> {
  call: () => Promise<R>
  /** Whether nobody has told the clerk the outcome. */
  isUntold: (error: unknown) => boolean
}

/** Keeps the decision for the time of its page's call: if the page ends meanwhile, the decision waits for the next. */
export async function keepDuring<R>(
  device: Device,
  decision: Decision,
  { call, isUntold }: Called<R>,
): Promise<R> {
  const { key, by } = decision
  const release = device.hold(key)
  const change = (to: (queue: Queue) => Queue): Promise<unknown> =>
    device.change(by, to).catch(() => undefined)
  // Another page that sees the decision released must not see it as open.
  const end = (to: (queue: Queue) => Queue): void => void change(to).then(release)
  void change((queue) => queues.take(queue, decision))
  try {
    const reply = await call()
    end((queue) => queues.told(queue, key))
    return reply
  } catch (error) {
    end((queue) => (isUntold(error) ? queues.lose(queue, key) : queues.told(queue, key)))
    throw error
  }
}

interface Sender {
  /** The line is there, and the page still belongs to the decisions' user. */
  mayGoOn: () => boolean
  /** Undefined without an answer. */
  send: (decision: Decision) => Promise<Answer | undefined>
  /** The same, for a call that another page began and whose answer is due at once. */
  finish: (decision: Decision) => Promise<Answer | undefined>
  /** Tells the clerk, as the page that began the call would have. */
  tellDone: (decision: Decision) => void
}

/** Sends what waits, one decision after the other, each under its own key, until one gets no answer. */
export async function sendWaiting(device: Device, user: string, sender: Sender): Promise<void> {
  const { mayGoOn, send } = sender
  await device.alone(async () => {
    const before = await device.change(user, (known) => known)
    const isUnderWay = await device.held()
    const isLost = (key: string): boolean => before.some((each) => each.key === key) && !isUnderWay(key)
    await finishCalls(device, user, { ...sender, isLost })
    let queue = await device.change(user, (known) => queues.reopen(known, isLost))
    for (;;) {
      const next = queues.nextToSend(queue)
      if (!next || !mayGoOn()) return
      const { key } = next
      queue = await device.change(user, (known) => queues.begin(known, key))
      // The clerk may have undone it in the last moment.
      if (queue.find((each) => each.key === key)?.state !== 'sending') continue
      const answer = mayGoOn() ? await send(next) : undefined
      queue = await device.change(user, (known) =>
        answer ? queues.answer(known, key, answer) : queues.lose(known, key),
      )
      if (!answer) return
    }
  })
}

/** More messages at once would push the first away unread. */
const MOST_TOLD = 3

interface Finisher extends Sender {
  isLost: (key: string) => boolean
}

/**
 * A page that ends right after a press leaves a call, most often already answered. The next page goes on with it as with
 * its own: a decision that shows as waiting for a moment would move the page under the clerk's hand.
 */
async function finishCalls(device: Device, user: string, finisher: Finisher): Promise<void> {
  const { isLost, mayGoOn, finish, tellDone } = finisher
  const queue = await device.change(user, (known) => known)
  const calls = queue.filter(({ key, state }) => state === 'calling' && isLost(key))
  for (const call of calls.slice(0, MOST_TOLD)) {
    const { key } = call
    const answer = mayGoOn() ? await finish(call) : undefined
    // Without an answer the next ones would wait as long: they show as waiting instead.
    if (!answer || !mayGoOn()) return
    if (answer.state === 'done') tellDone(call)
    await device.change(user, (known) =>
      answer.state === 'done' ? queues.told(known, key) : queues.answer(known, key, answer),
    )
  }
}
