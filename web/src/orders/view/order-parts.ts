import { createContext } from 'react'
import type { LazyPart } from '#lib/parts/lazy-part.ts'
import type { Step } from '../order/next-step.ts'
import type { Order } from '../state/queries.ts'

export interface OrderPartProps {
  order: Order
  timezone: string
  /** The order is over for the merchant: it can only be read and printed (GAP-96). */
  isReadOnly: boolean
  /** `from`: the dialog or part that the next one leads back to. */
  onStep: (step: Step, from?: Step) => void
}

/**
 * The places in the order view that slices above this one fill. `documents` are buttons at the top, `duties` and `notes` are cards. The others are rows
 * of the first block, made of `Fact`, in this sequence. A part without content shows nothing.
 */
export type PartPlace =
  | 'documents'
  | 'duties'
  | 'instructions'
  | 'directions'
  | 'courier'
  | 'labels'
  | 'notes'

type Parts = Partial<Record<PartPlace, LazyPart<OrderPartProps>>>

/** The app provides the parts, like the dialogs. */
export const OrderParts = createContext<Parts>({})
