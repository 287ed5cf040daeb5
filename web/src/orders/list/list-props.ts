import type { Tab } from '@cellarhand/contract/order-statuses'
import type { ReactNode } from 'react'
import type { Step } from '../order/next-step.ts'
import type { Order } from '../state/queries.ts'

/** What the table and the cards share: the rows, and what can be done to them. */
export interface ListProps {
  tab: Tab
  orders: readonly Order[]
  total: number
  newIds: ReadonlySet<string>
  timezone: string
  onNearEnd: () => void
  onStep: (step: Step, order: Order) => void
  end: ReactNode
  /** Changes when the rows become those of another view. */
  shownView: string
  /** The rows of another filter, shown until those of the chosen one are there. */
  isStale: boolean
}
