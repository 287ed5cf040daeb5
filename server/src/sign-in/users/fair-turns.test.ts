import { expect, test, vi } from 'vitest'
import { createFairTurns, type Asker } from './fair-turns.ts'

const stranger = (lane: string): Asker => ({ lane, isKnown: false })
const clerk = (lane: string): Asker => ({ lane, isKnown: true })

/** One place, held until it is let go; what came into turn meanwhile is told in its order. */
function heldTurns(settings: Partial<Parameters<typeof createFairTurns>[0]> = {}) {
  const turns = createFairTurns({ atOnce: 1, perLane: 100, inAll: 500, deadlineMs: 60_000, ...settings })
  const gate = Promise.withResolvers<void>()
  const first = turns.inTurn(stranger('first'), () => gate.promise)
  const served: string[] = []
  const ask = async (asker: Asker, name = asker.lane) =>
    turns.inTurn(asker, async () => {
      served.push(name)
    })
  return { turns, served, ask, letGo: () => gate.resolve(), first }
}
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

test('a clerk comes before everybody who waits already', async () => {
  const { served, ask, letGo } = heldTurns()
  const all = [...many(90, () => ask(stranger('flood'))), ask(clerk('shop'), 'the clerk')]
  letGo()
  await Promise.all(all)
  expect(served.indexOf('the clerk')).toBe(0)
})

test('a stranger waits behind one of each other network, however many of those wait', async () => {
  const { served, ask, letGo } = heldTurns()
  const all = [
    ...many(90, () => ask(stranger('flood'))),
    ...many(90, () => ask(stranger('second flood'))),
    ask(stranger('phone'), 'the phone'),
  ]
  letGo()
  await Promise.all(all)
  expect(served.indexOf('the phone')).toBe(2)
})

test('the known do not starve the others', async () => {
  const { served, ask, letGo } = heldTurns()
  const all = [...many(90, () => ask(clerk('shop'))), ask(stranger('phone'), 'the phone')]
  letGo()
  await Promise.all(all)
  expect(served.indexOf('the phone')).toBe(4)
})

test('a network that has filled its lane is refused, and nobody else is', async () => {
  const { turns, ask, letGo } = heldTurns({ perLane: 3 })
  const waiting = many(3, () => ask(stranger('flood')))
  await expect(ask(stranger('flood'))).rejects.toMatchObject({ code: 'too_many_requests' })
  waiting.push(ask(stranger('phone')), ask(clerk('flood')))
  expect(turns.waiting()).toBe(5)
  letGo()
  await Promise.all(waiting)
  expect(turns.waiting()).toBe(0)
})

test('strangers of many networks leave places to the known, and the longest line gives way to the next network', async () => {
  const { turns, served, ask, letGo } = heldTurns({ inAll: 6 })
  const flood = many(5, () => ask(stranger('flood')))
  const waiting = [
    ask(stranger('second')),
    ask(clerk('shop'), 'the clerk'),
    ask(stranger('phone'), 'the phone'),
  ]
  await expect(flood[4]).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(turns.waiting()).toBe(7)
  letGo()
  await Promise.all([...flood.slice(0, 4), ...waiting])
  expect(served.slice(0, 4)).toEqual(['the clerk', 'flood', 'second', 'the phone'])
})

test('a stranger of one network after another finds no place once each of many networks waits', async () => {
  const { ask, letGo } = heldTurns({ inAll: 3 })
  const waiting = many(3, (index) => ask(stranger(`network ${index}`)))
  await expect(ask(stranger('another'))).rejects.toMatchObject({ code: 'too_many_requests' })
  waiting.push(ask(clerk('shop')))
  letGo()
  await Promise.all(waiting)
})

test('who waits longer than the deadline is refused, and leaves the place to others', async () => {
  vi.useFakeTimers()
  try {
    const { turns, served, ask, letGo, first } = heldTurns({ deadlineMs: 5_000 })
    const late = ask(stranger('flood'), 'late').catch((error: unknown) => error)
    vi.advanceTimersByTime(4_999)
    const inTime = ask(stranger('flood'), 'in time')
    vi.advanceTimersByTime(1)
    expect(await late).toMatchObject({ code: 'too_many_requests' })
    expect(turns.waiting()).toBe(1)
    letGo()
    await Promise.all([first, inTime])
    expect(served).toEqual(['in time'])
    // Nobody holds the place any more.
    await ask(stranger('flood'), 'after it')
    expect(served).toEqual(['in time', 'after it'])
  } finally {
    vi.useRealTimers()
  }
})

test('work that fails gives its place back', async () => {
  const { turns, letGo, first, ask, served } = heldTurns()
  const failing = turns.inTurn(stranger('flood'), async () => Promise.reject(new Error('broken')))
  letGo()
  await expect(failing).rejects.toThrow('broken')
  await first
  await ask(stranger('phone'))
  expect(served).toEqual(['phone'])
})
