import type { ReportType } from '@cellarhand/contract/report-files'
import type { Database } from '#platform/db/database.ts'
import type { Thread } from '#platform/threads/thread.ts'
import { createTurns } from '#platform/turns/turns.ts'
import type { PickList } from './picks.ts'
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
  | { readonly kind: 'details'; readonly orders: readonly PrintedOrder['order'][] }

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
const waitMs = 60_000

export function createPress(
  thread: Thread,
  { clock, pace }: Pick<Database, 'clock' | 'pace'>,
  { isBackground }: { readonly isBackground: boolean },
): Press {
  const turns = createTurns({ places: 1, perKey: 1, waiting, waitMs, isBackground }, clock, pace)
  return { ask: (merchantId, task) => turns.run(merchantId, () => thread.ask(task)) }
}
