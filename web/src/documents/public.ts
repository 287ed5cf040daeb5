import { firstMessages } from '@cellarhand/contract/first-messages'
import { lazyPart, loadInTime } from '#lib/parts/lazy-part.ts'
import type { Order } from '#orders/public.ts'
import { toast } from '#ui/notes/toasts.tsx'

export const DocumentsPart = lazyPart(() => import('./documents-part.tsx'), 'DocumentsPart')
export const AcceptManyDialog = lazyPart(() => import('./accept-many-dialog.tsx'), 'AcceptManyDialog')
export const SlipsDialog = lazyPart(() => import('./download-dialog.tsx'), 'SlipsDialog')
export const ReceiptsDialog = lazyPart(() => import('./download-dialog.tsx'), 'ReceiptsDialog')
export const LabelsDialog = lazyPart(() => import('./labels-dialog.tsx'), 'LabelsDialog')
export const DetailsDialog = lazyPart(() => import('./download-dialog.tsx'), 'DetailsDialog')

/** Fetched with the first press, so that the list does not wait for it. */
export async function printSlip(order: Order): Promise<void> {
  try {
    const { printReport } = await loadInTime(() => import('./print-report.ts'))
    await printReport(order, 'packingslip')
  } catch {
    toast('error', firstMessages.packingSlipFailed)
  }
}
