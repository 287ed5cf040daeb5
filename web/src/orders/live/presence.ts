import type { Presences } from '@cellarhand/contract/live'
import { useEffect, useSyncExternalStore } from 'react'
import { createStore } from '#lib/kept/store.ts'
import { session } from '#sign-in/public.ts'
import type { Activity } from './say-presence.ts'
import { thisScreen } from './this-screen.ts'

/** The people with an order open on another screen. */
export const presences = createStore<Presences>({ items: [] })

/** Tells the merchant's other screens that this order is open here, for as long as it is. */
export function useOnIt(orderId: string | undefined, activity: Activity): void {
  useEffect(() => {
    if (orderId === undefined) return
    let isOver = false
    let leave: (() => void) | undefined
    // No first screen has an order open. Without the part, nobody reads that this one is.
    void import('./say-presence.ts').then(
      ({ claimOrder }) => {
        if (!isOver) leave = claimOrder({ orderId, activity })
      },
      () => undefined,
    )
    return () => {
      isOver = true
      leave?.()
    }
  }, [orderId, activity])
}

function wordsFor(orderId: string): string {
  const others = presences
    .get()
    .items.filter((each) => each.order_id === orderId && each.screen !== thisScreen)
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
