import { messages } from '@cellarhand/contract/messages'
import { loadInTime } from '#lib/parts/lazy-part.ts'
import { tellFailure } from '#ui/notes/toasts.tsx'
import { told } from '#ui/notes/told.ts'
import type { Order } from '@cellarhand/contract/orders'

/** The details of loaded orders, as a file. The code for it is fetched on first use. */
export async function downloadDetails(orders: readonly Order[]): Promise<void> {
  const action = `details of ${orders.map(({ id }) => id).join(' ')}`
  try {
    const { saveDetails } = await told(action, () => loadInTime(() => import('./save-details.ts')))
    saveDetails(orders)
  } catch {
    tellFailure(action, messages.bulkDetailsAllFailed)
  }
}
