import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { loadInTime } from '#lib/lazy-part.ts'
import { saveFile } from '#lib/save-file.ts'
import { toast } from '#ui/toasts.tsx'
import type { Order } from './queries.ts'

/** The details of orders that are here already, as a file; what makes it comes when it is first wanted. */
export async function downloadDetails(orders: readonly Order[]): Promise<void> {
  try {
    const { orderDetailsCsv } = await loadInTime(() => import('@cellarhand/contract/order-csv'))
    const [first] = orders
    const name = orders.length === 1 && first ? `order-${first.id}.csv` : `orders-${orders.length}.csv`
    saveFile(name, 'text/csv', orderDetailsCsv(orders))
  } catch {
    toast('error', messages.bulkDetailsAllFailed)
  }
}
