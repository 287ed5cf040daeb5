import { readContainerSize } from '@cellarhand/contract/container-size'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { Order } from '@cellarhand/contract/orders'

/** The total of the order's containers, as "750 mL" or "1.50 L" (VIEW-024, VIEW-025); '' when none has a size. */
export function containerSum(items: Order['items']): string {
  const sum = ownLines({ items }).reduce(
    (total, { item }) => total + item.quantity * metric(item.product?.container_size),
    0,
  )
  if (sum === 0) return ''
  return sum > 1000 ? `${(sum / 1000).toFixed(2)} L` : `${Math.round(sum * 100) / 100} mL`
}

/** Only sizes in mL and L count (GAP-63). */
function metric(text: string | null | undefined): number {
  const size = readContainerSize(text ?? '')
  return size?.unit === 'ml' || size?.unit === 'l' ? size.millilitres : 0
}
