import { messages } from '@cellarhand/contract/messages'
import { reportFileName, type ReportType } from '@cellarhand/contract/report-files'
import { paperLabels } from '@cellarhand/contract/paper-formats'
import { preferences } from '#lib/kept/preferences.ts'
import { track } from '#lib/reports/analytics.ts'
import { callForFile } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { printBlob } from '#lib/output/print-file.ts'
import { saveBlob } from '#lib/output/save-file.ts'
import type { Order } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { tellFailure, toast } from '#ui/notes/toasts.tsx'
import { told } from '#ui/notes/told.ts'

const texts = {
  packingslip: {
    event: 'Print Packing Slip',
    done: messages.packingSlipDownloaded,
    failed: messages.packingSlipFailed,
  },
  receipt: { event: 'Print Receipt', done: messages.receiptDownloaded, failed: messages.receiptFailed },
}

/** One press saves the file under its name and opens the browser's print dialog. */
export async function printReport(order: Order, type: ReportType): Promise<void> {
  const action = `${type} of ${order.id}`
  try {
    const file = await told(action, () => fetchReport(order, type))
    saveBlob(reportFileName(order, type), file)
    printBlob(file)
    track(texts[type].event)
    toast('success', texts[type].done, `On ${paperLabels[preferences.get().paper ?? 'letter']}.`)
  } catch (error) {
    tellFailure(action, texts[type].failed, reasonOf(error))
  }
}

function fetchReport({ id }: Order, type: ReportType): Promise<Blob> {
  const { paper } = preferences.get()
  const input = { params: { tmk: merchantKey(), id }, query: paper === undefined ? {} : { paper } }
  return type === 'receipt'
    ? callForFile('GET /m/v2/merchant/{tmk}/orders/{id}/reports/receipt', input)
    : callForFile('GET /m/v2/merchant/{tmk}/orders/{id}/reports/packingslip', input)
}
