import { createContext } from 'react'
import type { LazyPart } from '#lib/parts/lazy-part.ts'
import type { Order } from '../state/queries.ts'
import type { Selected } from '../state/selection.ts'

export interface BulkDialogProps {
  /** The selection on the active tab. Orders may have moved on since, so the server's answer decides. */
  selected: readonly Selected[]
  onClose: () => void
  /** Removes finished orders from the selection. */
  onDone: (ids: readonly string[]) => void
}

export type BulkAction = 'accept' | 'slips' | 'receipts' | 'labels' | 'details'

interface Tools {
  /**
   * Prints the packing slip; resolves when the document has arrived. It reports failures itself, and its button
   * stays busy until then. Without it, no list offers printing.
   */
  printSlip?: (order: Order) => Promise<void>
  /** The actions of the selection's bar; a missing action has no button. */
  bulk?: Partial<Record<BulkAction, LazyPart<BulkDialogProps>>>
}

/** Tools of the slices above this one; the app provides them. */
export const DeskTools = createContext<Tools>({})
