import type { ReportType } from '@cellarhand/contract/report-files'
import type { PickList } from './pick-list.ts'
import type { PrintedOrder } from './printed-order.ts'

export interface PaperToDraw {
  readonly position: number
  readonly type: ReportType
  readonly printed: PrintedOrder
  readonly firstPrintedAt: string | null
}

/** The tasks of the thread that draws papers. */
export type PaperTask =
  | { readonly kind: 'draw'; readonly papers: readonly PaperToDraw[]; readonly madeAt: Date }
  | {
      readonly kind: 'merge'
      readonly papers: readonly Uint8Array[]
      readonly pickList: PickList | undefined
    }

export interface Drawn {
  readonly position: number
  readonly type: ReportType
  readonly bytes: Uint8Array | undefined
}
