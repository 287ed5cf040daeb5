import { messages } from '@cellarhand/contract/messages'
import { toast } from '#ui/toasts.tsx'
import type { Order } from './queries.ts'

/** The details of orders that are here already, as a file; what makes it comes when it is first wanted. */
export async function downloadDetails(orders: readonly Order[]): Promise<void> {
  try {
    const { orderDetailsCsv } = await import('@cellarhand/contract/order-csv')
    const [first] = orders
    const name = orders.length === 1 && first ? `order-${first.id}.csv` : `orders-${orders.length}.csv`
    saveFile(name, new Blob([orderDetailsCsv(orders)], { type: 'text/csv;charset=utf-8' }))
  } catch {
    toast('error', messages.bulkDetailsAllFailed)
  }
}

const KEPT_MS = 60_000

function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
