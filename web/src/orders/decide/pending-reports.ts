import type { OutOfStockReason } from '@cellarhand/contract/decisions'
import { messages } from '@cellarhand/contract/messages'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { ReportKind } from '@cellarhand/contract/rejection-message'
import { createStore } from '#lib/kept/store.ts'
import type { Order } from '../state/queries.ts'
import { reportedKeys } from '../order/reported.ts'

type LineItem = Order['items'][number]

/** An option chosen for a line and not sent yet, with everything typed for it (GAP-100). */
export interface PendingReport {
  readonly kind: ReportKind
  /** The line's key in `rejection_message`. */
  readonly line: string
  readonly choice: OutOfStockReason
  readonly text: string
  readonly price: string
  /** How many pieces of the line are there. */
  readonly there: number
}

/** By order. Typed text stays until it is sent or withdrawn, also after the dialog or the page closes. */
const pending = createStore<Readonly<Record<string, readonly PendingReport[]>>>({})

export function pendingReportsOf(order: Order): readonly PendingReport[] {
  return (pending.get()[order.id] ?? []).filter((report) => canStillBeSent(order, report))
}

export function usePendingReports(order: Order): readonly PendingReport[] {
  pending.use()
  return pendingReportsOf(order)
}

/** Meanwhile somebody else may remove or report a line. */
function canStillBeSent(order: Order, { kind, line }: PendingReport): boolean {
  return (
    ownLines(order).some(({ item }) => rejectionKey(item) === line) && !reportedKeys(order, kind).has(line)
  )
}

function isSame(a: Pick<PendingReport, 'kind' | 'line'>, b: Pick<PendingReport, 'kind' | 'line'>): boolean {
  return a.kind === b.kind && a.line === b.line
}

/** The line's report as the clerk left it, or a new one with the initial texts (ACT-015). */
export function startReport(order: Order, kind: ReportKind, item: LineItem): PendingReport {
  const line = rejectionKey(item)
  const fresh: PendingReport = {
    kind,
    line,
    choice: 'available_soon',
    text: messages.outOfStockDefault,
    price: '',
    there: 0,
  }
  const known = (pending.get()[order.id] ?? []).find((report) => isSame(report, fresh)) ?? fresh
  keepReport(order, known)
  return known
}

export function keepReport({ id }: Order, report: PendingReport): void {
  const others = (pending.get()[id] ?? []).filter((each) => !isSame(each, report))
  pending.set({ ...pending.get(), [id]: [...others, report] })
}

export function dropReport({ id }: Order, report: Pick<PendingReport, 'kind' | 'line'>): void {
  const others = (pending.get()[id] ?? []).filter((each) => !isSame(each, report))
  pending.set({ ...pending.get(), [id]: others })
}
