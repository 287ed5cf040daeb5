import { expect, test } from 'vitest'
import * as queues from './decision-queue.ts'
import type { Decision, Queue } from './decision-queue.ts'

/** A small generator with a seed, so that a failing schedule can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return (state >>> 5) % below
  }
}

/** Orders with versions, and the replies under their keys, as the real server keeps them. */
class ModelServer {
  readonly applied: string[] = []
  readonly versions = new Map<string, number>()
  private readonly replies = new Map<string, queues.Answer>()

  versionOf(orderId: string): number {
    return this.versions.get(orderId) ?? 1
  }

  otherClerk(orderId: string): void {
    this.versions.set(orderId, this.versionOf(orderId) + 1)
  }

  take({ key, orderId, input }: Decision): queues.Answer {
    const known = this.replies.get(key)
    if (known) return known
    const isSeen = (input as { version: number }).version === this.versionOf(orderId)
    const reply: queues.Answer = isSeen
      ? { state: 'done', words: '', answeredAt: 0 }
      : { state: 'refused', words: 'somebody was faster', answeredAt: 0 }
    if (isSeen) {
      this.applied.push(key)
      this.otherClerk(orderId)
    }
    this.replies.set(key, reply)
    return reply
  }
}

const lines = ['good', 'cut', 'answers lost'] as const

/** One device, its clerk, a colleague and the line between, for some hundred steps. */
function runSchedule(seed: number) {
  const below = random(seed)
  const server = new ModelServer()
  let onDevice: Queue = []
  let line: (typeof lines)[number] = 'good'
  const taken: string[] = []
  const undone: string[] = []
  const told = new Map<string, Decision>()
  const keep = (next: Queue): void => {
    for (const each of next) if (!queues.isOpen(each)) told.set(each.key, each)
    onDevice = next
  }
  const press = (): void => {
    const orderId = `${below(8)}`
    const key = `${seed}-${taken.length}`
    const decision: Decision = {
      key,
      orderId,
      decided: below(2) === 0 ? 'accept' : 'reject',
      by: 'ada',
      line: 'PUT /m/v2/orders/{id}',
      input: { version: server.versionOf(orderId) },
      pressedAt: 0,
      state: 'waiting',
      isTried: false,
    }
    const next = queues.take(onDevice, decision)
    if (next !== onDevice) taken.push(key)
    keep(next)
  }
  const undoOne = (): void => {
    const each = onDevice[below(Math.max(1, onDevice.length))]
    if (!each) return
    const next = queues.undo(onDevice, each.key)
    if (next.length < onDevice.length && queues.isOpen(each)) undone.push(each.key)
    keep(next)
  }
  /** The call may end with the page: what the device kept before it is all that the next page knows. */
  const send = (dies: boolean): void => {
    const next = queues.nextToSend(onDevice)
    if (!next) return
    keep(queues.begin(onDevice, next.key))
    const reply = line === 'cut' ? undefined : server.take(next)
    if (dies) return
    keep(
      reply && line === 'good' ? queues.answer(onDevice, next.key, reply) : queues.lose(onDevice, next.key),
    )
  }
  for (let step = 0; step < 120; step++) {
    const what = below(10)
    if (what < 3) press()
    else if (what === 3) undoOne()
    else if (what < 7) send(below(6) === 0)
    else if (what === 7) line = lines[below(lines.length)] ?? 'good'
    else if (what === 8) keep(queues.reopen(onDevice))
    else if (below(2) === 0) server.otherClerk(`${below(8)}`)
    else keep(queues.close(onDevice))
  }
  line = 'good'
  keep(queues.reopen(onDevice))
  while (queues.nextToSend(onDevice)) send(false)
  return { server, taken, undone, told, onDevice }
}

test('1,000 schedules of a cut or silent line with reloads lose no decision and double none', () => {
  let sent = 0
  let first = 0
  for (let seed = 1; seed <= 1000; seed++) {
    const { server, taken, undone, told, onDevice } = runSchedule(seed)
    const why = `seed ${seed}`
    expect(onDevice.filter(queues.isOpen), why).toEqual([])
    // Each press has exactly one outcome that the clerk can read, unless the clerk took it back.
    expect([...told.keys(), ...undone].toSorted(), why).toEqual(taken.toSorted())
    const done = [...told.values()].filter(({ state }) => state === 'done').map(({ key }) => key)
    expect(server.applied.toSorted(), why).toEqual(done.toSorted())
    expect(new Set(server.applied).size, why).toBe(server.applied.length)
    sent += done.length
    first += told.size - done.length
  }
  expect(sent).toBeGreaterThan(5_000)
  expect(first).toBeGreaterThan(500)
})

const waiting: Decision = {
  key: 'k',
  orderId: '1',
  decided: 'accept',
  by: 'ada',
  line: 'PUT /m/v2/orders/{id}',
  input: { version: 1 },
  pressedAt: 0,
  state: 'waiting',
  isTried: false,
}

test('a decision that went out once cannot be undone, after a reload neither', () => {
  const sending = queues.begin([waiting], 'k')
  expect(queues.undo(sending, 'k')).toHaveLength(1)
  expect(queues.undo(queues.reopen(sending), 'k')).toHaveLength(1)
  expect(queues.undo([waiting], 'k')).toEqual([])
})

test('an order has one open decision at a time, and a press that comes twice counts once', () => {
  expect(queues.take([waiting], { ...waiting, key: 'l', decided: 'reject' })).toEqual([waiting])
  expect(queues.take([waiting], waiting)).toEqual([waiting])
  const done = queues.answer([waiting], 'k', { state: 'done', words: '', answeredAt: 1 })
  expect(queues.take(done, { ...waiting, key: 'l' })).toHaveLength(2)
})

test('decisions go out one at a time, in the order of the presses', () => {
  const second = { ...waiting, key: 'l', orderId: '2' }
  const queue = queues.take([waiting], second)
  expect(queues.nextToSend(queue)?.key).toBe('k')
  expect(queues.nextToSend(queues.begin(queue, 'k'))).toBeUndefined()
  const answered = queues.answer(queue, 'k', { state: 'done', words: '', answeredAt: 1 })
  expect(queues.nextToSend(answered)?.key).toBe('l')
  expect(queues.close(answered)).toEqual([second])
})
