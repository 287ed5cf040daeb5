import type { Order } from '@cellarhand/contract/orders'
import { onTrack } from '@cellarhand/contract/on-track'
import { tabOf } from '@cellarhand/contract/order-statuses'

/** An order as its document is kept: the wire shape less what depends on the moment it is read. */
export type StoredOrder = Omit<Order, 'on_track_status'>

/** What the badge of an order depends on. */
export interface ReadingFacts {
  readonly tab: string
  readonly method: string
  readonly deadlineMs: number
  readonly timezone: string
  readonly nowMs: number
}

/** Adds the badge to a document without parsing it: the document's closing brace makes room for one more field. */
export function withOnTrackStatus(document: string, facts: ReadingFacts): string {
  return piecesWithOnTrackStatus(document, facts).join('')
}

/** The same for who writes many of them one after another, and need not have each as a text of its own. */
export function piecesWithOnTrackStatus(document: string, facts: ReadingFacts): [string, string] {
  return [document.slice(0, -1), `,"on_track_status":${onTrackJson(facts)}}`]
}

function onTrackJson({ tab, method, deadlineMs, timezone, nowMs }: ReadingFacts): string {
  if (tab !== 'active') return 'null'
  const { type, message } = onTrack({ deadlineAtMs: deadlineMs, method, nowMs, timezone })
  return `{"message":${JSON.stringify(message)},"type":"${type}","deadline_at":"${new Date(deadlineMs).toISOString()}"}`
}

export function toWireText(order: StoredOrder, facts: Omit<ReadingFacts, 'tab' | 'method'>): string {
  const { method } = order.delivery
  return withOnTrackStatus(JSON.stringify(order), { ...facts, method, tab: tabOf(order.status, method) })
}
