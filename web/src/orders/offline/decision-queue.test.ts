import { expect, test } from 'vitest'
import * as queues from './decision-queue.ts'
import type { Decision } from './decision-queue.ts'

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
  expect(
    queues.undo(
      queues.reopen(sending, () => true),
      'k',
    ),
  ).toHaveLength(1)
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
  expect(queues.clearSent(answered)).toEqual([second])
})

test('what was refused stays when the sent ones are cleared, and goes by its own press alone', () => {
  const refusal = { state: 'refused', words: 'Ada was faster', answeredAt: 1 } as const
  const queue = queues.answer(queues.take([waiting], { ...waiting, key: 'l', orderId: '2' }), 'k', refusal)
  expect(queues.clearSent(queue)).toEqual(queue)
  expect(queues.see(queue, 'l')).toEqual(queue)
  expect(queues.see(queue, 'k').map(({ key }) => key)).toEqual(['l'])
})

test('a call under way belongs to its page, and waits once that page is gone', () => {
  const calling: Decision = { ...waiting, state: 'calling', isTried: true }
  expect(queues.nextToSend([calling])).toBeUndefined()
  expect(queues.reopen([calling], () => false)).toEqual([calling])
  expect(queues.nextToSend(queues.reopen([calling], () => true))?.key).toBe('k')
})
