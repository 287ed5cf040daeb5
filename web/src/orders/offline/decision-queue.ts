import type { Line } from '#lib/calls/call.ts'

/** The decisions that may wait on a device: what else a clerk does needs the line at once. */
export type Decided = 'accept' | 'reject'

export interface Decision {
  /** The idempotency key, which no other decision ever has. */
  readonly key: string
  readonly orderId: string
  readonly decided: Decided
  /** The user whose decision it is. */
  readonly by: string
  readonly line: Line
  /** Parameters and body of the call; the body names the version that the clerk saw. */
  readonly input: unknown
  readonly pressedAt: number
  /** `calling`: the page that it was pressed on has its call under way, and tells the outcome itself. */
  readonly state: 'calling' | 'waiting' | 'sending' | 'done' | 'refused'
  /** It went out at least once, so that the server may have done it. */
  readonly isTried: boolean
  /** What the server answered, in words, and when. */
  readonly words?: string
  readonly answeredAt?: number
}

export type Queue = readonly Decision[]

/** What a device knows of an order for itself: the answer is still to come. */
export function isOpen({ state }: Decision): boolean {
  return state !== 'done' && state !== 'refused'
}

/** One open decision per order: what follows it depends on its answer. */
export function take(queue: Queue, decision: Decision): Queue {
  if (queue.some((each) => each.key === decision.key)) return queue
  if (queue.some((each) => isOpen(each) && each.orderId === decision.orderId)) return queue
  return [...queue, decision]
}

/** The page has told the outcome of its call, or that there was none. */
export function told(queue: Queue, key: string): Queue {
  return queue.filter((each) => each.key !== key)
}

/** Only what never went out can be undone here: anything else may already be done. */
export function canUndo({ state, isTried }: Decision): boolean {
  return state === 'waiting' && !isTried
}

export function undo(queue: Queue, key: string): Queue {
  return queue.filter((each) => each.key !== key || !canUndo(each))
}

/** The decision that goes out now; one at a time and in the order of the presses. */
export function nextToSend(queue: Queue): Decision | undefined {
  return queue.some(({ state }) => state === 'sending')
    ? undefined
    : queue.find(({ state }) => state === 'waiting')
}

/** Kept on the device before the call: after a reload nobody may undo what may have arrived. */
export function begin(queue: Queue, key: string): Queue {
  return change(queue, key, (each) =>
    each.state === 'waiting' ? { ...each, state: 'sending', isTried: true } : each,
  )
}

export interface Answer {
  readonly state: 'done' | 'refused'
  readonly words: string
  readonly answeredAt: number
}

export function answer(queue: Queue, key: string, given: Answer): Queue {
  return change(queue, key, (each) => (isOpen(each) ? { ...each, ...given } : each))
}

/** No answer: it waits again, and the next try has the same key. */
export function lose(queue: Queue, key: string): Queue {
  return change(queue, key, (each) => (isOpen(each) ? { ...each, state: 'waiting' } : each))
}

/** Calls whose page is gone wait again. */
export function reopen(queue: Queue, isLost: (key: string) => boolean): Queue {
  const isToReopen = ({ key, state }: Decision): boolean =>
    (state === 'sending' || state === 'calling') && isLost(key)
  return queue.some(isToReopen)
    ? queue.map((each) => (isToReopen(each) ? { ...each, state: 'waiting' } : each))
    : queue
}

/** A refused decision stays: it is still to do, and goes one by one. */
export function clearSent(queue: Queue): Queue {
  return queue.filter(({ state }) => state !== 'done')
}

/** What the server has answered is nobody's business on this device once its person has signed out. */
export function dropSettled(queue: Queue): Queue {
  return queue.every(isOpen) ? queue : queue.filter(isOpen)
}

/** The clerk has read that it was refused, and why. */
export function see(queue: Queue, key: string): Queue {
  return queue.filter((each) => each.key !== key || each.state !== 'refused')
}

function change(queue: Queue, key: string, to: (decision: Decision) => Decision): Queue {
  return queue.map((each) => (each.key === key ? to(each) : each))
}
