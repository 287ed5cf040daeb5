import type { Tab } from '@cellarhand/contract/order-statuses'
import { createStore } from '#lib/kept/store.ts'
import type { ListView } from './list-view.ts'

/** The tab of the order that is open: it stays lit though the page is not its own. */
export const openTab = createStore<Tab | null>(null)

interface Shown {
  /** The list that was shown last, in which the open order has its neighbours. */
  list?: ListView
  /** Opens the next decision, or that of this order; absent where no list is open. */
  decide?: ((id?: string) => void) | undefined
}

export const shown: Shown = {}
