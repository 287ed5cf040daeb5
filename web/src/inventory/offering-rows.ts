import { readContainerSize } from '@cellarhand/contract/container-size'
import type { Offering } from '@cellarhand/contract/inventory'
import { plainLetters } from '@cellarhand/contract/searchable-text'
import type { SortField } from './inventory-search.ts'

/** One line of the stock list with its keys for sorting and searching, computed once per answer. */
export interface OfferingRow {
  readonly id: string
  readonly name: string
  readonly brand: string
  readonly tpk: string
  readonly size: string
  /** What the rules of law ask of the bottle, such as "Wine, 13.5%". */
  readonly drink: string
  readonly price: number
  readonly quantity: number
  readonly isActive: boolean
  readonly isNextDay: boolean
  /** The number in the barcode, and the shelf; empty where the stock list does not say. */
  readonly gtin: string
  readonly location: string
  /** By whom, and for which order it was reported as not available since the last stock list; empty otherwise. */
  readonly takenDown: string
  readonly merchantName: string
  /** Whether product, product line and container size are all known (INV-016). */
  readonly isComplete: boolean
  readonly millilitres: number
  readonly haystack: string
}

/** The list's filter and sort; direction 1 is ascending (GAP-95). */
export interface OfferingFilter {
  readonly orderDirection: 1
  readonly filterStatus: SortField
  readonly clientFilter: string
}
export const standardFilter: OfferingFilter = { orderDirection: 1, filterStatus: 'name', clientFilter: '' }

export function rowsOf(offerings: readonly Offering[]): OfferingRow[] {
  return offerings.map((offering) => {
    const { product } = offering
    const name = product?.product_line?.name ?? ''
    const brand = product?.product_line?.brand?.name ?? ''
    const tpk = product?.tpk ?? ''
    const size = product?.container_size?.formatted ?? ''
    return {
      id: offering.id,
      name,
      brand,
      tpk,
      size,
      drink: drinkOf(offering),
      price: offering.price,
      quantity: offering.quantity,
      isActive: offering.is_active,
      isNextDay: offering.stock_behavior === 'NextDay',
      gtin: offering.gtin ?? '',
      location: offering.location ?? '',
      takenDown: offering.taken_down ? `${offering.taken_down.by}, #${offering.taken_down.order_id}` : '',
      merchantName: offering.merchant.name,
      isComplete: Boolean(product?.product_line && product.container_size),
      // An unreadable size comes last.
      millilitres: readContainerSize(size)?.millilitres ?? Number.POSITIVE_INFINITY,
      haystack: plainLetters(
        `${name} ${brand} ${tpk} ${offering.id} ${offering.gtin ?? ''} ${offering.location ?? ''}`,
      ),
    }
  })
}

function drinkOf({ beverage_class: kind, abv, volume_ml: volume, product }: Offering): string {
  const words = [
    kind === 'none' ? 'No alcohol' : kind && kind.charAt(0).toUpperCase() + kind.slice(1),
    abv === undefined ? '' : `${abv}%`,
    // The container says it already.
    volume === undefined || product?.container_size ? '' : `${volume} mL`,
  ]
  return words.filter(Boolean).join(', ')
}

type Compare = (a: OfferingRow, b: OfferingRow) => number

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const difference = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)

const comparers: Record<SortField, Compare> = {
  name: (a, b) => compare(a.name, b.name),
  size: (a, b) => difference(a.millilitres, b.millilitres) || compare(a.size, b.size),
  price: (a, b) => a.price - b.price,
  // A product at the distributor has no quantity here, so it comes after the others.
  quantity: (a, b) => Number(a.isNextDay) - Number(b.isNextDay) || a.quantity - b.quantity,
  brand: (a, b) => compare(a.brand, b.brand),
  tpk: (a, b) => compare(a.tpk, b.tpk),
  code: (a, b) => compare(a.id, b.id),
  status: (a, b) => Number(a.isActive) - Number(b.isActive),
}

/** The matching rows, sorted; equal ones by name, incomplete ones at the end. */
export function arrange(rows: readonly OfferingRow[], filter: OfferingFilter): OfferingRow[] {
  const words = plainLetters(filter.clientFilter).split(/\s+/).filter(Boolean)
  const found =
    words.length === 0
      ? [...rows]
      : rows.filter(({ haystack }) => words.every((word) => haystack.includes(word)))
  const by = comparers[filter.filterStatus]
  return found.sort(
    (a, b) =>
      Number(b.isComplete) - Number(a.isComplete) ||
      by(a, b) * filter.orderDirection ||
      comparers.name(a, b) ||
      difference(a.millilitres, b.millilitres),
  )
}
