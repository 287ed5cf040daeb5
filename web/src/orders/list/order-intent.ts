import type { QueryClient } from '@tanstack/react-query'
import { orderQuery } from '../state/queries.ts'

const DWELL_MS = 90
let timer: ReturnType<typeof setTimeout> | undefined

/** Fetches an order that somebody may be about to open; a pointer that only passes over a row fetches nothing. */
export function considerOrder(queryClient: QueryClient, id: string): void {
  leaveOrder()
  timer = setTimeout(() => fetchOrder(queryClient, id), DWELL_MS)
}

export function leaveOrder(): void {
  clearTimeout(timer)
}

export function fetchOrder(queryClient: QueryClient, id: string): void {
  leaveOrder()
  void queryClient.prefetchQuery(orderQuery(id))
}
