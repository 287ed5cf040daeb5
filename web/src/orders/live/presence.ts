import type { Presence, Presences } from '@cellarhand/contract/live'
import { useEffect, useSyncExternalStore } from 'react'
import { afterPaint } from '#lib/parts/after-paint.ts'
import { call, CallError } from '#lib/calls/call.ts'
import { newId } from '#lib/calls/new-id.ts'
import { createStore } from '#lib/kept/store.ts'
import { merchantKey, session } from '#sign-in/public.ts'

/** The people with an order open on another screen. */
export const presences = createStore<Presences>({ items: [] })

/** Names this page, because one person may have two pages open. */
const screen = newId()

type Activity = Presence['activity']
interface Claim {
  orderId: string
  activity: Activity
}

const claims = new Set<Claim>()
let said: string | undefined
let isSaying = false
let next: ReturnType<typeof setTimeout> | undefined
const AGAIN_MS = 2_500

/** The order open on this page; of several, the one in a decision. Nobody sits before a hidden page. */
function openHere(): Claim | undefined {
  if (document.visibilityState === 'hidden') return undefined
  const all = [...claims]
  return all.findLast(({ activity }) => activity === 'deciding') ?? all.at(-1)
}

/** One request at a time, so that none overtakes another. It repeats while an order is open. */
async function say(): Promise<void> {
  if (isSaying) return
  clearTimeout(next)
  const claim = openHere()
  const text = claim && `${claim.orderId} ${claim.activity}`
  if (claim === undefined && said === undefined) return
  isSaying = true
  said = text
  const body = { screen, order_id: claim?.orderId ?? null, activity: claim?.activity ?? ('viewing' as const) }
  let wait: number | undefined = AGAIN_MS
  try {
    // By then the message is outdated, and the next one repeats it.
    const options = { keepalive: true, limitMs: 5_000 }
    const reply = await call(
      'PUT /m/v2/merchant/{tmk}/presence',
      { params: { tmk: merchantKey() }, body },
      options,
    )
    wait = reply.renew_within_ms
  } catch (error) {
    // A refusal means that this order needs no message. A broken connection means that the next try may succeed.
    if (error instanceof CallError && error.status < 500) wait = undefined
  }
  isSaying = false
  const now = openHere()
  if ((now && `${now.orderId} ${now.activity}`) !== said) return void say()
  if (now && wait !== undefined) next = setTimeout(() => void say(), wait)
}

document.addEventListener('visibilitychange', () => void say())

/** Tells the merchant's other screens that this order is open here, for as long as it is. */
export function useOnIt(orderId: string | undefined, activity: Activity): void {
  useEffect(() => {
    if (orderId === undefined) return
    const claim = { orderId, activity }
    claims.add(claim)
    afterPaint(() => void say())
    return () => {
      claims.delete(claim)
      // Going straight from one order to the next sends one message instead of two.
      setTimeout(() => void say())
    }
  }, [orderId, activity])
}

function wordsFor(orderId: string): string {
  const others = presences.get().items.filter((each) => each.order_id === orderId && each.screen !== screen)
  const deciding = others.find(({ activity }) => activity === 'deciding')
  const first = deciding ?? others[0]
  if (!first) return ''
  const people = new Set(others.map(({ user_id }) => user_id))
  const isSelf = first.user_id === session.get().user?.id
  if (people.size > 1) {
    const more = people.size - 1
    return `${isSelf ? 'You' : first.name} and ${more} more are on it`
  }
  if (isSelf) return 'You are on it on another screen'
  return deciding ? `${first.name} is deciding on it` : `${first.name} is on it`
}

/** Such as "Ada Marsh is on it"; empty when nobody else is. */
export function useWhoIsOnIt(orderId: string): string {
  return useSyncExternalStore(presences.listen, () => wordsFor(orderId))
}
