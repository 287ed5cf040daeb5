import type { SortField } from './offering-rows.ts'
import { sortLabels } from './offering-rows.ts'

/** What of the page stands in its address. */
export interface InventorySearch {
  filter?: 'selling' | 'all' | undefined
  sort?: SortField | undefined
}

export function readInventorySearch(given: Record<string, unknown>): InventorySearch {
  const { filter, sort } = given
  return {
    ...((filter === 'selling' || filter === 'all') && { filter }),
    ...(typeof sort === 'string' && Object.hasOwn(sortLabels, sort) && { sort: sort as SortField }),
  }
}
