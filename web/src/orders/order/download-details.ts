import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { loadInTime } from '#lib/parts/lazy-part.ts'
import { saveFile } from '#lib/output/save-file.ts'
import { toast } from '#ui/notes/toasts.tsx'
import type { Order } from '@cellarhand/contract/orders'

/** The details of loaded orders, as a file. The code for it is fetched on first use. */
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
