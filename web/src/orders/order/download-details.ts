import { messages } from '@cellarhand/contract/messages'
import { loadInTime } from '#lib/parts/lazy-part.ts'
import { toast } from '#ui/notes/toasts.tsx'
import type { Order } from '@cellarhand/contract/orders'

/** The details of loaded orders, as a file. The code for it is fetched on first use. */
export async function downloadDetails(orders: readonly Order[]): Promise<void> {
  try {
    const { saveDetails } = await loadInTime(() => import('./save-details.ts'))
    saveDetails(orders)
  } catch {
    toast('error', messages.bulkDetailsAllFailed)
  }
}
