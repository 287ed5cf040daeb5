import type { StreamEventName } from '@cellarhand/contract/events'
import type { Clock, Timer } from '#platform/clock/clock.ts'
import { write, type Stream, type Told } from './stream.ts'

const betweenLooksMs = 100
const betweenLooksOfClockMs = 1_000
const leastPauseMs = 2_000
const mostPauseMs = 30_000

/** A state that every screen of a merchant shows. Each change sends it as a whole. */
export interface LiveState {
  readonly name: StreamEventName
  /** Whether an order's event may have changed it. */
  readonly followsOrders: boolean
  /** After this time the server looks again, in case an event or a signal is missing. */
  readonly lookAgainMs: number | undefined
  /** As JSON text, by merchant. It reports the moment at which the time alone changes a merchant's state. */
  read(
    merchantIds: readonly string[],
    changesAt?: (merchantId: string, atMs: number) => void,
  ): Promise<ReadonlyMap<string, string>>
}

interface LookDeps {
  readonly clock: Clock
  readonly streamsOf: (merchantId: string) => ReadonlySet<Stream> | undefined
  readonly onError: (error: unknown) => void
}

/** Reads states, and tells them to those screens that have not been told the same. A failed read is repeated. */
export function createLooks({ clock, streamsOf, onError }: LookDeps) {
  let looks = 0
  /** By states and merchant: whether what is being looked at has changed again since. */
  const looking = new Map<string, boolean>()
  const later = createLaterLooks(clock)
  const repeats = createRepeats(clock, (state, merchantIds) => void look([state], merchantIds))

  /** All that was read goes out in one write: with hundreds of screens each further one is dear. */
  async function look(wanted: readonly LiveState[], merchantIds: readonly string[], only?: Stream) {
    const present = merchantIds.filter((merchantId) => streamsOf(merchantId) !== undefined)
    if (present.length === 0) return
    const number = ++looks
    const read = await Promise.allSettled(
      wanted.map(async (state) => {
        const texts = await state.read(present, (merchantId, atMs) =>
          later.look({ key: `${state.name} ${merchantId}`, number }, atMs, () =>
            lookSoon([state], merchantId),
          ),
        )
        return { name: state.name, texts }
      }),
    )
    const done = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    for (const merchantId of present) {
      const told = done.map(({ name, texts }) => ({
        name,
        look: number,
        text: texts.get(merchantId) ?? '{}',
      }))
      for (const stream of only ? [only] : (streamsOf(merchantId) ?? [])) tellStates(stream, told)
    }
    for (const [index, state] of wanted.entries()) {
      const result = read[index]
      if (result?.status !== 'rejected') repeats.succeed(state)
      else {
        onError(result.reason)
        repeats.fail(state, present)
      }
    }
  }

  /** The first time at once; what changes over and over is told every so often, whole, and not each time. */
  function lookSoon(wanted: readonly LiveState[], merchantId: string): void {
    const key = `${wanted.map(({ name }) => name).join()} ${merchantId}`
    if (looking.has(key)) return void looking.set(key, true)
    looking.set(key, false)
    void look(wanted, [merchantId]).finally(() => {
      clock.after(betweenLooksMs, () => {
        const isOther = looking.get(key)
        looking.delete(key)
        if (isOther === true) lookSoon(wanted, merchantId)
      })
    })
  }

  return {
    look,
    lookSoon,
    stop() {
      repeats.stop()
      later.stop()
    },
  }
}

/** Looks at the moment at which the time alone changes a state. For one key the newest look's moment counts. */
function createLaterLooks(clock: Clock) {
  const timers = new Map<string, { readonly number: number; readonly timer: Timer }>()
  return {
    look({ key, number }: { key: string; number: number }, atMs: number, look: () => void) {
      const before = timers.get(key)
      if (before !== undefined && before.number > number) return
      before?.timer.stop()
      const ring = () => {
        timers.delete(key)
        look()
      }
      const timer = clock.after(Math.max(betweenLooksOfClockMs, atMs - clock.nowMs()), ring)
      timers.set(key, { number, timer })
    },
    stop() {
      for (const { timer } of timers.values()) timer.stop()
    },
  }
}

/** A state that failed is read again for all its merchants at once, and ever more rarely while it fails. */
function createRepeats(clock: Clock, look: (state: LiveState, merchantIds: readonly string[]) => void) {
  const pauses = new Map<LiveState, number>()
  const waiting = new Map<LiveState, { readonly merchantIds: Set<string>; readonly timer: Timer }>()
  return {
    succeed(state: LiveState) {
      pauses.delete(state)
    },
    fail(state: LiveState, merchantIds: readonly string[]) {
      const known = waiting.get(state)
      if (known) return merchantIds.forEach((merchantId) => known.merchantIds.add(merchantId))
      const pauseMs = pauses.get(state) ?? leastPauseMs
      // One that is read more often anyway needs no repeat.
      if (state.lookAgainMs !== undefined && state.lookAgainMs <= pauseMs) return
      pauses.set(state, Math.min(pauseMs * 2, mostPauseMs))
      const failed = new Set(merchantIds)
      const timer = clock.after(pauseMs, () => {
        waiting.delete(state)
        look(state, [...failed])
      })
      waiting.set(state, { merchantIds: failed, timer })
    },
    stop() {
      for (const { timer } of waiting.values()) timer.stop()
    },
  }
}

/** Of two parallel reads, the older may finish last; its result is outdated. */
function tellStates(stream: Stream, read: readonly (Told & Pick<LiveState, 'name'>)[]): void {
  let news = ''
  for (const { name, look, text } of read) {
    const before = stream.told.get(name)
    if (before !== undefined && before.look > look) continue
    stream.told.set(name, { look, text })
    if (before?.text !== text) news += `event: ${name}\ndata: ${text}\n\n`
  }
  if (news !== '') write(stream, news)
}
