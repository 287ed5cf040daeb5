import { expect, test } from 'vitest'
import { eventParser } from './event-parser.ts'

function parsed(pieces: readonly string[]) {
  const events: { name: string; data: string }[] = []
  const ids: string[] = []
  const parse = eventParser({ onEvent: (event) => events.push(event), onId: (id) => ids.push(id) })
  for (const piece of pieces) parse(piece)
  return { events, ids }
}

test('an event may arrive in any pieces', () => {
  const text = 'id: 7\nevent: order.created\ndata: {"id":"1"}\n\n: still here\n\nevent: counts\ndata: {}\n\n'
  const whole = parsed([text])
  expect(whole.events).toEqual([
    { name: 'order.created', data: '{"id":"1"}' },
    { name: 'counts', data: '{}' },
  ])
  expect(parsed([...text])).toEqual({ events: whole.events, ids: whole.ids })
})

test('the stream resumes from an id without data', () => {
  expect(parsed(['id: 41\n: connected\n\n'])).toEqual({ events: [], ids: ['41'] })
})

test('carriage returns end lines, and data of several lines is joined', () => {
  expect(parsed(['data: a\r\ndata: b\r\n\r\n']).events).toEqual([{ name: 'message', data: 'a\nb' }])
})

test('an event without its closing empty line does not count', () => {
  expect(parsed(['event: counts\ndata: {}\n']).events).toEqual([])
})
