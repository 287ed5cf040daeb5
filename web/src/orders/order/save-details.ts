import { orderDetailsCsv } from '@cellarhand/contract/order-csv'
import type { Order } from '@cellarhand/contract/orders'
import { saveFile } from '#lib/output/save-file.ts'

export function saveDetails(orders: readonly Order[]): void {
  const [first] = orders
  const name = orders.length === 1 && first ? `order-${first.id}.csv` : `orders-${orders.length}.csv`
  saveFile(name, 'text/csv', orderDetailsCsv(orders))
}
