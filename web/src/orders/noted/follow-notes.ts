import type { NotedOrder } from '@cellarhand/contract/notes'
import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { CallError } from '#lib/calls/call.ts'
import { listLine, type OrderPage } from '../state/queries.ts'
import { noteMark } from './note-mark.ts'
import { NoteSign } from './note-sign.tsx'
import { askNoted, notedOrders } from './noted-orders.ts'

const RETRY_MS = 5_000

export interface FollowedNotes {
  /** Asks again for all shown orders: the stream tells that notes have changed, and not whose. */
  refresh: () => void
  end: () => void
}

/** Marks the listed orders that have notes, once they are shown: the list itself waits for nothing. */
export function followNotes(queryClient: QueryClient, tmk: string): FollowedNotes {
  let round = 0
  let asked = new Set<string>()
  let isDue = false
  const ask = async (): Promise<void> => {
    isDue = false
    const started = round
    const ids = shownIds(queryClient).filter((id) => !asked.has(id))
    if (ids.length === 0) return
    for (const id of ids) asked.add(id)
    let isRefused = false
    const found = await askNoted(tmk, ids).catch((error: unknown) => {
      isRefused = error instanceof CallError && error.status < 500
    })
    if (started !== round) return
    if (found) return show(ids, found)
    for (const id of ids) asked.delete(id)
    if (!isRefused) setTimeout(() => started === round && askSoon(), RETRY_MS)
  }
  const askSoon = (): void => {
    if (isDue) return
    isDue = true
    queueMicrotask(() => void ask())
  }
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] === listLine && (type === 'updated' || type === 'observerAdded')) askSoon()
  })
  const refresh = (): void => {
    round += 1
    asked = new Set()
    askSoon()
  }
  askSoon()
  return {
    refresh,
    end() {
      round += 1
      stop()
      show([...notedOrders.get().keys()], [])
    },
  }
}

function show(ids: readonly string[], found: readonly NotedOrder[]): void {
  const next = new Map(notedOrders.get())
  for (const id of ids) next.delete(id)
  for (const order of found) next.set(order.id, order)
  if (JSON.stringify([...next]) === JSON.stringify([...notedOrders.get()])) return
  notedOrders.set(next)
  noteMark.set((id) => {
    const order = next.get(id)
    return order && createElement(NoteSign, { order })
  })
}

function shownIds(queryClient: QueryClient): string[] {
  const lists = queryClient.getQueryCache().findAll({ queryKey: [listLine], type: 'active' })
  return lists.flatMap(({ state }) => {
    const pages = (state.data as { pages?: OrderPage[] } | undefined)?.pages ?? []
    return pages.flatMap(({ items }) => items.map(({ id }) => id))
  })
}
