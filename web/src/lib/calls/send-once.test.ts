import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError, UnreachableError } from './call.ts'
import { withLimit } from './in-time.ts'
import { sendOnce, type Once } from './send-once.ts'
import { clearStoredSession } from '../kept/stored-session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const lost = async (_once: Once): Promise<string> => Promise.reject(new UnreachableError('no answer'))
const refused =
  (status: number, code: string) =>
  async (_once: Once): Promise<string> =>
    Promise.reject(new CallError(status, { code }))
const atWork = refused(409, 'request_in_progress')
const done = async (_once: Once): Promise<string> => 'done'

/** A dead connection: each try ends when its time is up. */
const silent = async ({ limitMs }: Once): Promise<string> =>
  withLimit(
    limitMs,
    undefined,
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new UnreachableError('no answer')))
      }),
  )

/** The outcome, and the time it took. */
async function outcomeOf(work: Promise<unknown>): Promise<{ value: unknown; afterMs: number }> {
  const from = Date.now()
  const end = (value: unknown) => ({ value, afterMs: Date.now() - from })
  const settled = work.then(end, end)
  await vi.runAllTimersAsync()
  return settled
}

const keysOf = (send: { mock: { calls: [Once][] } }) =>
  new Set(send.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey))

describe('a change', () => {
  test('without an answer is tried twice under one key, and given up after 15 seconds in total', async () => {
    const send = vi.fn(silent)
    const { value, afterMs } = await outcomeOf(sendOnce('silent', send))
    expect(value).toBeInstanceOf(UnreachableError)
    expect(send).toHaveBeenCalledTimes(2)
    expect(keysOf(send).size).toBe(1)
    expect(afterMs).toBe(15_000)
  })

  test('whose first answer was lost gets the answer of the second try', async () => {
    const send = vi.fn(done).mockImplementationOnce(lost)
    expect((await outcomeOf(sendOnce('lost', send))).value).toBe('done')
    expect(send).toHaveBeenCalledTimes(2)
    expect(keysOf(send).size).toBe(1)
  })

  test('without a confirmation keeps its key for the next press, and gives it up after an answer', async () => {
    const send = vi.fn(done).mockImplementationOnce(lost).mockImplementationOnce(lost)
    await outcomeOf(sendOnce('pressed again', send))
    expect((await outcomeOf(sendOnce('pressed again', send))).value).toBe('done')
    expect(keysOf(send).size).toBe(1)
    await outcomeOf(sendOnce('pressed again', send))
    expect(keysOf(send).size).toBe(2)
  })

  test('that was refused is not tried again', async () => {
    const send = vi.fn(refused(409, 'invalid_transition'))
    const { value, afterMs } = await outcomeOf(sendOnce('refused', send))
    expect(value).toMatchObject({ code: 'invalid_transition' })
    expect(send).toHaveBeenCalledTimes(1)
    expect(afterMs).toBe(0)
    await outcomeOf(sendOnce('refused', send))
    expect(keysOf(send).size).toBe(2)
  })

  test('that the server is still working on is asked about until it is done', async () => {
    const send = vi
      .fn(done)
      .mockImplementationOnce(lost)
      .mockImplementationOnce(atWork)
      .mockImplementationOnce(refused(409, 'labels_being_bought'))
    expect((await outcomeOf(sendOnce('at work', send))).value).toBe('done')
    expect(keysOf(send).size).toBe(1)
  })

  test('that the server works on for longer is given up in time, and keeps its key', async () => {
    const send = vi.fn(atWork).mockImplementationOnce(lost)
    const { value, afterMs } = await outcomeOf(sendOnce('long', send))
    expect(value).toBeInstanceOf(UnreachableError)
    expect(afterMs).toBeLessThanOrEqual(15_000)
    await outcomeOf(sendOnce('long', send))
    expect(keysOf(send).size).toBe(1)
  })

  test('answered by a failing proxy keeps its key, because nobody knows the server’s result', async () => {
    const send = vi.fn(refused(502, ''))
    await outcomeOf(sendOnce('proxy', send))
    expect(send).toHaveBeenCalledTimes(1)
    await outcomeOf(sendOnce('proxy', send))
    expect(keysOf(send).size).toBe(1)
  })

  describe('whose session ends', () => {
    beforeEach(() => {
      vi.stubGlobal('localStorage', { getItem: () => null, removeItem: () => undefined })
      vi.stubGlobal('document', { cookie: '' })
      vi.stubGlobal('location', { protocol: 'https:' })
    })
    afterEach(() => void vi.unstubAllGlobals())

    test('is not tried a second time in the next user’s name', async () => {
      const send = vi.fn(async (_once: Once): Promise<string> => {
        clearStoredSession()
        throw new UnreachableError('no answer')
      })
      const { value } = await outcomeOf(sendOnce('two sessions', send))
      expect(value).toBeInstanceOf(UnreachableError)
      expect(send).toHaveBeenCalledTimes(1)
    })

    test('leaves no key to the next session', async () => {
      const send = vi.fn(lost)
      await outcomeOf(sendOnce('of nobody', send))
      clearStoredSession()
      await outcomeOf(sendOnce('of nobody', send))
      expect(keysOf(send).size).toBe(2)
    })
  })

  test('without a key on the server is not repeated by itself', async () => {
    const send = vi.fn(silent)
    const { afterMs } = await outcomeOf(sendOnce('keyless', send, { isKeyless: true }))
    expect(send).toHaveBeenCalledTimes(1)
    expect(afterMs).toBe(15_000)
  })
})

test('the caller can also end work with a limit, and no timer is left behind', async () => {
  const asker = new AbortController()
  const work = withLimit(1_000, asker.signal, async (signal) => {
    asker.abort()
    return signal.aborted
  })
  expect(await work).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
