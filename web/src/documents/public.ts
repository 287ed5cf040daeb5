import { firstMessages } from '@cellarhand/contract/first-messages'
import { lazyPart, loadInTime } from '#lib/parts/lazy-part.ts'
import type { Order } from '#orders/public.ts'
import { tellFailure } from '#ui/notes/toasts.tsx'

export const DocumentsPart = lazyPart(() => import('./documents-part.tsx'), 'DocumentsPart')
const bulkDialogs = () => import('./labels-dialog.tsx')
export const AcceptManyDialog = lazyPart(bulkDialogs, 'AcceptManyDialog')
export const SlipsDialog = lazyPart(bulkDialogs, 'SlipsDialog')
export const ReceiptsDialog = lazyPart(bulkDialogs, 'ReceiptsDialog')
export const LabelsDialog = lazyPart(bulkDialogs, 'LabelsDialog')
export const DetailsDialog = lazyPart(bulkDialogs, 'DetailsDialog')

/** Fetched with the first press, so that the list does not wait for it. */
export function printSlip(order: Order): Promise<void> {
  return loadInTime(() => import('./print-report.ts')).then(
    ({ printReport }) => printReport(order, 'packingslip'),
    // The name that `printReport` gives it, so that the next press takes it back.
    () => tellFailure(`packingslip of ${order.id}`, firstMessages.packingSlipFailed),
  )
}
