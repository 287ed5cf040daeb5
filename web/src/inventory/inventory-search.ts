/** The fields for sorting, in the menu's sequence. */
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

/** The part of the page that its address holds. */
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
