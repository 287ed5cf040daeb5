import { expect, test } from 'vitest'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { askedBy } from './asker.ts'
import { createPace } from './pace.ts'
import { createTurns, NoTurn, type TurnLimits } from './turns.ts'

/** Work that notes when it begins, and ends when it is told to. */
function createWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = async (name: string) =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, run, end: (name: string) => ends.get(name)?.() }
}

const limits = { places: 3, perKey: 2, waiting: 100, waitMs: 60_000 }
const gaps = { thereMs: 0, perTurn: 0, shortestMs: 0, perWaitingMs: 0, longestMs: 0, waiting: 0, waitMs: 0 }

/** Without gaps, which are another matter. */
function openTurns(others: Partial<TurnLimits> = {}, clock = createTurnedClock()) {
  return createTurns({ ...limits, ...others }, clock, createPace(clock, gaps))
}

/** Until all that can go on has gone on. */
const settled = async () => new Promise((resolve) => setImmediate(resolve))

test('a burst below a crowd has its share and counts as no crowd', async () => {
  const { begun, run } = createWork()
  const clock = createTurnedClock({ runs: false })
  const pace = createPace(clock)
  const turns = createTurns({ ...limits, crowdFrom: 6 }, clock, pace)
  const ask = (names: string, key: string) => {
    for (const name of names) void turns.run(key, async () => run(name))
  }
  ask('abcde', 'shop')
  expect(begun).toEqual(['a', 'b'])
  expect(pace.isBesideOthers('other')).toBe(true)
  ask('fg', 'shop')
  expect(pace.isBesideOthers('other')).toBe(false)
})

test('work that goes first waits for the next place alone, however many others wait, and has no more of them', async () => {
  const { begun, run, end } = createWork()
  const turns = openTurns({ first: '' })
  const ask = (name: string, key: string) => turns.run(key, async () => run(name))
  const asked = [...'abcdefgh'].map((name) => ask(name, name))
  asked.push(ask('own 1', ''), ask('own 2', ''))
  expect(begun).toEqual(['a', 'b', 'c'])
  end('b')
  await settled()
  expect(begun.at(-1)).toBe('own 1')
  end('a')
  await settled()
  expect(begun.at(-1)).toBe('d')
  end('own 1')
  await settled()
  expect(begun.at(-1)).toBe('own 2')
  for (const name of [...'cdefgh', 'own 2']) {
    end(name)
    await settled()
  }
  await Promise.all(asked)
})

test('who asks little does not wait behind who asks much', async () => {
  const { begun, run, end } = createWork()
  const turns = openTurns()
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) =>
    turns.run(name[0] ?? '', async () => run(name)),
  )
  // Of three places the crowd has two, and the third is for the other.
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  end('b1')
  await settled()
  expect(begun.at(-1)).toBe('b2')
  for (const name of ['a1', 'a2', 'b2', 'a3', 'a4']) {
    end(name)
    await settled()
  }
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
})

test('those who wait are taken in turn by party, and of one party in their order', async () => {
  const { begun, run, end } = createWork()
  const turns = openTurns({ places: 1 })
  const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) =>
    turns.run(name[0] ?? '', async () => run(name)),
  )
  while (begun.length < asked.length) {
    end(begun.at(-1) ?? '')
    await settled()
  }
  end(begun.at(-1) ?? '')
  await Promise.all(asked)
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('of one party, those who ask are taken in turn, and nobody who comes later goes before a round that has begun', async () => {
  const { begun, run, end } = createWork()
  const turns = openTurns({ places: 1 })
  const ask = async (...names: string[]) =>
    Promise.all(names.map((name) => askedBy(name[0] ?? '', () => turns.run('shop', async () => run(name)))))
  const asked = [ask('a1', 'a2', 'a3', 'a4'), ask('b1', 'b2')]
  end('a1')
  await settled()
  end('a2')
  await settled()
  asked.push(ask('c1'))
  for (const name of ['b1', 'a3', 'b2', 'c1', 'a4']) {
    end(name)
    await settled()
  }
  await Promise.all(asked)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4'])
})

test('whoever would be too far behind is told so at once, and work that fails gives its place back', async () => {
  const { begun, run, end } = createWork()
  const turns = openTurns({ places: 1, waiting: 1 })
  const first = turns.run('a', async () => run('a1'))
  const second = turns.run('a', () => Promise.reject(new Error('no paper')))
  await expect(turns.run('a', async () => run('a3'))).rejects.toThrow(NoTurn)
  const other = turns.run('b', async () => run('b1'))
  end('a1')
  expect(await first).toBe('a1')
  await settled()
  end('b1')
  expect(await other).toBe('b1')
  await expect(second).rejects.toThrow('no paper')
  const last = turns.run('a', async () => run('a4'))
  expect(begun).toEqual(['a1', 'b1', 'a4'])
  end('a4')
  await last
})

test('whoever waits too long is told so, and leaves the place to the next', async () => {
  const { run, end } = createWork()
  const clock = createTurnedClock()
  const turns = openTurns({ places: 1 }, clock)
  const first = turns.run('a', async () => run('a1'))
  const late = turns.run('b', async () => run('b1'))
  clock.turn(limits.waitMs)
  await expect(late).rejects.toThrow(NoTurn)
  end('a1')
  await first
  const last = turns.run('b', async () => run('b2'))
  end('b2')
  expect(await last).toBe('b2')
})

test('a call whose caller has left is passed over, and the next call of the same asker waits no longer for it', async () => {
  const { begun, run, end } = createWork()
  const turns = openTurns({ places: 1 })
  let hangUp = () => {}
  const ask = async (name: string, onLeft?: (leave: () => void) => void) =>
    askedBy(name[0] ?? '', () => turns.run('shop', async () => run(name)), onLeft)
  const asked = [ask('a1'), ask('b1'), ask('b2')]
  const left = ask('c1', (leave) => (hangUp = leave))
  hangUp()
  await expect(left).rejects.toThrow(NoTurn)
  await expect(ask('c2', (leave) => leave())).rejects.toThrow(NoTurn)
  asked.push(ask('c3'))
  for (const name of ['a1', 'b1', 'c3', 'b2']) {
    end(name)
    await settled()
  }
  await Promise.all(asked)
  expect(begun).toEqual(['a1', 'b1', 'c3', 'b2'])
})

test('what a call has started and not waited for keeps its turn when the caller leaves after the answer', async () => {
  const { run, end } = createWork()
  const turns = openTurns({ places: 1 })
  let hangUp = () => {}
  const first = turns.run('shop', async () => run('first'))
  let started: Promise<string> | undefined
  await askedBy(
    'a',
    async () => void (started = turns.run('shop', async () => run('started'))),
    (leave) => (hangUp = leave),
  )
  hangUp()
  end('first')
  await first
  await settled()
  end('started')
  expect(await started).toBe('started')
})
