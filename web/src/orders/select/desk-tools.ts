import { createContext } from 'react'
import type { LazyPart } from '#lib/parts/lazy-part.ts'
import type { Order } from '../state/queries.ts'
import type { Selected } from '../state/selection.ts'

export interface BulkDialogProps {
  /** What is selected on the active tab; orders may have moved on since, so the server's answer decides. */
  selected: readonly Selected[]
  onClose: () => void
  /** Takes orders that are done with out of the selection. */
  onDone: (ids: readonly string[]) => void
}

export type BulkAction = 'accept' | 'slips' | 'receipts' | 'labels' | 'details'

interface Tools {
  /**
   * Opens the packing slip to be printed; settled when the document is there. It says itself what went wrong, and the
   * button that called it stays busy until then. Without it no list offers to print.
   */
  printSlip?: (order: Order) => Promise<void>
  /** What the bar below a selection offers; an action that is missing has no button. */
  bulk?: Partial<Record<BulkAction, LazyPart<BulkDialogProps>>>
}

/** What slices above this one do for the list; the app hands it in. */
export const DeskTools = createContext<Tools>({})
