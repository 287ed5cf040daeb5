import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import type { ReportType } from '@cellarhand/contract/report-files'
import type { Clock } from '#platform/clock/clock.ts'
import type { SideProcess } from '#platform/side-process/side-process.ts'
import { createTurns } from '#platform/turns/turns.ts'
import type { PickList } from './picks.ts'
import type { PrintedOrder } from './printed-order.ts'
import type { Report } from './report.ts'

export interface PaperToDraw {
  readonly position: number
  readonly type: ReportType
  readonly paper: PaperFormat
  readonly printed: PrintedOrder
  readonly firstPrintedAt: string | null
}

/** The tasks of the process that draws papers. */
export type PaperTask =
  | { readonly kind: 'draw'; readonly papers: readonly PaperToDraw[]; readonly madeAt: Date }
  | {
      readonly kind: 'merge'
      readonly papers: readonly Uint8Array[]
      readonly pickList: { readonly list: PickList; readonly paper: PaperFormat } | undefined
    }
  | { readonly kind: 'details'; readonly orders: readonly PrintedOrder['order'][] }
  | { readonly kind: 'report'; readonly report: Report }

export interface Drawn {
  readonly position: number
  readonly type: ReportType
  readonly bytes: Uint8Array | undefined
  /** Why there are no bytes. */
  readonly error: string | undefined
}

/** Draws for all merchants, one task after the other, and for one merchant after the other. */
export interface Press {
  ask<T>(merchantId: string, task: PaperTask): Promise<T>
}

const waiting = 100
/** A step of a batch takes seconds, and three times as long between many requests. */
const batchesWaitMs = 180_000

export function createPress(
  printer: SideProcess,
  clock: Clock,
  { waitMs = batchesWaitMs }: { readonly waitMs?: number } = {},
): Press {
  const turns = createTurns({ places: 1, perKey: 1, waiting, waitMs }, clock)
  return { ask: (merchantId, task) => turns.run(merchantId, () => printer.ask(task)) }
}
