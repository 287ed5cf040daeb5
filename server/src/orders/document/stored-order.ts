import type { Order } from '@cellarhand/contract/orders'
import { createOnTrack } from '@cellarhand/contract/on-track'
import { tabOf } from '@cellarhand/contract/order-statuses'

const onTrack = createOnTrack()

/** An order's stored document: the wire shape without the field that depends on the moment of reading. */
export type StoredOrder = Omit<Order, 'on_track_status'>

/** The facts behind an order's badge. */
export interface ReadingFacts {
  readonly tab: string
  readonly method: string
  readonly deadlineMs: number
  readonly timezone: string
  readonly nowMs: number
}

/** Adds the badge to a document without parsing it: one more field goes in before the closing brace. */
export function withOnTrackStatus(document: string, facts: ReadingFacts): string {
  return piecesWithOnTrackStatus(document, facts).join('')
}

/** The same in two pieces, for a caller that writes many orders and needs no single text of each. */
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
