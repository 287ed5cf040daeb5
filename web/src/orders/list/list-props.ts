import type { Tab } from '@cellarhand/contract/order-statuses'
import type { ReactNode } from 'react'
import type { Step } from '../order/next-step.ts'
import type { Order } from '../state/queries.ts'

/** Shared by the table and the cards: the rows, and the actions on them. */
export interface ListProps {
  tab: Tab
  orders: readonly Order[]
  total: number
  newIds: ReadonlySet<string>
  timezone: string
  hasCarrier: boolean
  onNearEnd: () => void
  onStep: (step: Step, order: Order) => void
  end: ReactNode
  isDueFirst: boolean
  /** Changes when the rows belong to another view. */
  shownView: string
  /** The rows of the previous filter, shown until those of the chosen one arrive. */
  isStale: boolean
}
