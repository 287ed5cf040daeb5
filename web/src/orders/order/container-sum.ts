import { ownLines } from '@cellarhand/contract/order-lines'
import type { Order } from '@cellarhand/contract/orders'

const ML_PER: Record<string, number> = { ml: 1, l: 1000 }

/** The total of the order's containers, as "750 mL" or "1.50 L" (VIEW-024, VIEW-025); '' when none has a size. */
export function containerSum(items: Order['items']): string {
  const sum = ownLines({ items }).reduce(
    (total, { item }) => total + item.quantity * millilitres(item.product?.container_size),
    0,
  )
  if (sum === 0) return ''
  return sum > 1000 ? `${(sum / 1000).toFixed(2)} L` : `${Math.round(sum * 100) / 100} mL`
}

function millilitres(size: string | null | undefined): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ml|l)\s*$/i.exec(size ?? '')
  return match ? Number(match[1]) * (ML_PER[match[2]?.toLowerCase() ?? ''] ?? 0) : 0
}
