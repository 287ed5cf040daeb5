import type { Order } from '@cellarhand/contract/orders'
import { createOnTrack } from '@cellarhand/contract/on-track'
import { tabOf } from '@cellarhand/contract/order-statuses'

const onTrack = createOnTrack()

/** An order's stored document: the wire shape without the badge, and without the clerk who has it. */
export type StoredOrder = Omit<Order, 'on_track_status' | 'taken'>

/** The facts behind an order's badge. */
export interface ReadingFacts {
  readonly tab: string
  readonly method: string
  readonly deadlineMs: number
  readonly timezone: string
  readonly nowMs: number
  /** The clerk who has it, as JSON text: for the merchant alone. */
  readonly taken?: string | null | undefined
}

/** Adds the badge, and the clerk who has it, to a document without parsing it: more fields go in before the closing brace. */
export function withOnTrackStatus(document: string, facts: ReadingFacts): string {
  return piecesWithOnTrackStatus(document, facts).join('')
}

/** The same in two pieces, for a caller that writes many orders and needs no single text of each. */
export function piecesWithOnTrackStatus(document: string, facts: ReadingFacts): [string, string] {
  const taken = facts.taken == null ? '' : `,"taken":${facts.taken}`
  return [document.slice(0, -1), `${taken},"on_track_status":${onTrackJson(facts)}}`]
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
