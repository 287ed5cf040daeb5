import { firstMessages } from '@cellarhand/contract/first-messages'
import { lazyPart, loadInTime } from '#lib/parts/lazy-part.ts'
import type { Order } from '#orders/public.ts'
import { toast } from '#ui/notes/toasts.tsx'

export const DocumentsPart = lazyPart(() => import('./documents-part.tsx'), 'DocumentsPart')
const bulkDialogs = () => import('./labels-dialog.tsx')
export const AcceptManyDialog = lazyPart(bulkDialogs, 'AcceptManyDialog')
export const SlipsDialog = lazyPart(bulkDialogs, 'SlipsDialog')
export const ReceiptsDialog = lazyPart(bulkDialogs, 'ReceiptsDialog')
export const LabelsDialog = lazyPart(bulkDialogs, 'LabelsDialog')
export const DetailsDialog = lazyPart(bulkDialogs, 'DetailsDialog')

/** Fetched with the first press, so that the list does not wait for it. */
export async function printSlip(order: Order): Promise<void> {
  try {
    const { printReport } = await loadInTime(() => import('./print-report.ts'))
    await printReport(order, 'packingslip')
  } catch {
    toast('error', firstMessages.packingSlipFailed)
  }
}
