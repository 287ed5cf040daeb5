import { useSyncExternalStore } from 'react'
import { createStore } from '#lib/kept/store.ts'
import { LATE_MS } from '#lib/parts/use-late.ts'
import type { Order } from '@cellarhand/contract/orders'

/** Orders shown ahead of the server whose answer is late. */
export const late = createStore<ReadonlySet<string>>(new Set())

/** A decision that waits on this device for the line. */
interface NotSent {
  readonly words: string
  /** Undefined if it may have reached the server. */
  readonly undo: (() => void) | undefined
}

/** By order. */
export const notSent = createStore<ReadonlyMap<string, NotSent>>(new Map())

/** Marks the order unless the answer comes soon; returns the function that ends this. */
export function markWhenLate(orderId: string): () => void {
  const timer = setTimeout(() => late.set(new Set([...late.get(), orderId])), LATE_MS)
  return () => {
    clearTimeout(timer)
    late.set(new Set([...late.get()].filter((id) => id !== orderId)))
  }
}

/** A change shown ahead is half a version above the server's last one. */
export function isPaintedAhead({ version }: Pick<Order, 'version'>): boolean {
  return !Number.isInteger(version)
}

export const waitsForAnswer = 'This step waits for the server’s answer'

/** Says that the order shows a change that the server has not confirmed. */
export function useUnconfirmed(order: Order): string | undefined {
  const words = notSent.use().get(order.id)?.words
  const isLate = useSyncExternalStore(late.listen, () => late.get().has(order.id))
  return words ?? (isLate && isPaintedAhead(order) ? 'not confirmed yet' : undefined)
}

/** Why the next step is disabled: it would build on a change that the server may not have made. */
export function useWhyItWaits(order: Order): string | undefined {
  return useUnconfirmed(order) && waitsForAnswer
}
