import type { OrderQuery } from '@cellarhand/contract/order-query'
import { requireOneFilter, requireOneSort } from '../src/orders/list/select-page.ts'

/** No value, or one of these. */
export const either = <T extends keyof OrderQuery>(name: T, ...values: OrderQuery[T][]): OrderQuery[] => [
  {},
  ...values.map((value) => ({ [name]: value })),
]

function isGiven(query: OrderQuery): boolean {
  try {
    requireOneSort(query)
    requireOneFilter(query)
    return true
  } catch {
    return false
  }
}

/** Each combination of one from each of the choices, without those that the server refuses. */
export function everyListOf(choices: readonly OrderQuery[][]): OrderQuery[] {
  return choices
    .reduce<OrderQuery[]>(
      (some, further) => some.flatMap((one) => further.map((other) => ({ ...one, ...other }))),
      [{}],
    )
    .filter(isGiven)
}
