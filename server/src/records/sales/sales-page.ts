import { ownLines } from '@cellarhand/contract/order-lines'
import type { StoredOrder } from '#orders/public.ts'
import { salesLines } from './csv.ts'
import { createMonths, isUnchecked, type SaleSums } from './months.ts'

export interface FoldedOrder {
  readonly id: string
  readonly submittedMs: number
  /** The bottles have left the shop at some time. */
  readonly hasLeft: boolean
  readonly document: string
}

/** How many orders the paper still has room for. */
interface Room {
  readonly sales: number
  readonly unchecked: number
}

export interface SalesPage {
  readonly timezone: string
  readonly orders: readonly FoldedOrder[]
  readonly room: Room
}

type ReliedOn = NonNullable<NonNullable<StoredOrder['duties']>['relied_on']>

export interface FoundSales {
  readonly count: number
  /** Their lines of sales.csv. */
  readonly lines: Uint8Array
  readonly months: readonly (readonly [month: string, sums: Readonly<SaleSums>])[]
  readonly listed: { readonly sales: readonly StoredOrder[]; readonly unchecked: readonly StoredOrder[] }
  /** The orders whose ID check was left to a courier service. */
  readonly reliedOn: ReadonlyMap<string, ReliedOn>
}

/** Whether its document has to be unfolded, which takes longer than anything else here. */
export function mayBeSale({ hasLeft, document }: Pick<FoldedOrder, 'hasLeft' | 'document'>): boolean {
  return hasLeft || document.includes('"age_check"')
}

/** The sales among some orders. An order is unfolded when its turn comes, so that it is gone before the next one. */
export function findSales({ timezone, orders, room }: SalesPage): FoundSales {
  const months = createMonths(timezone)
  const [sales, unchecked]: [StoredOrder[], StoredOrder[]] = [[], []]
  const reliedOn = new Map<string, ReliedOn>()
  let [text, count] = ['', 0]
  for (const folded of orders) {
    const order = saleOf(folded)
    if (order === undefined) continue
    const lines = ownLines(order).flatMap(({ item }) => (item.beverage_class === 'none' ? [] : [item]))
    months.count({ order, submittedMs: folded.submittedMs, lines })
    if (sales.length < room.sales) sales.push(order)
    if (unchecked.length < room.unchecked && isUnchecked(order)) unchecked.push(order)
    if (order.duties?.relied_on !== undefined) reliedOn.set(order.id, order.duties.relied_on)
    text += salesLines(order, lines)
    count += 1
  }
  return {
    count,
    lines: Buffer.from(text),
    months: [...months.all()],
    listed: { sales, unchecked },
    reliedOn,
  }
}

/** With alcohol, and the bottles left the shop or were at a door. */
function saleOf({ hasLeft, document }: FoldedOrder): StoredOrder | undefined {
  const order = JSON.parse(document) as StoredOrder
  const isSale =
    (hasLeft || order.age_check !== undefined) &&
    order.items.some(({ beverage_class: known }) => known !== 'none')
  return isSale ? order : undefined
}
