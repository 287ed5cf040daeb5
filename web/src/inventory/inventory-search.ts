/** The fields to sort by, in the order of the menu. */
export const sortLabels = {
  name: 'Product Name',
  size: 'Container Size',
  price: 'Price',
  quantity: 'Quantity',
  brand: 'Brand',
  tpk: 'TPK',
  code: 'Retailer item Code',
  status: 'Status',
} as const
export type SortField = keyof typeof sortLabels

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
