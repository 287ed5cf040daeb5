import { messages } from '@cellarhand/contract/messages'
import type { ReportType } from '@cellarhand/contract/report-files'
import { call, followToFile, type Reply } from '#lib/call.ts'
import { printBlob } from '#lib/print-file.ts'
import { saveBlob } from '#lib/save-file.ts'
import { createStore } from '#lib/store.ts'
import type { Selected } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { toast } from '#ui/toasts.tsx'

type Batch = Reply<'GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}'>
export type DownloadKind = 'slips' | 'receipts' | 'details'

const atOnce = 200
const triesAtMost = 20
const pauseMs = 1_000

/** One download as it stands. It goes on when its dialog is closed. */
export interface Download {
  readonly kind: DownloadKind
  readonly asked: readonly Selected[]
  /** What one batch could not take any more. */
  readonly rest: readonly Selected[]
  readonly state: 'running' | 'slow' | 'done' | 'failed'
  readonly tries: number
  readonly done: number
  readonly failed: Batch['failed']
  readonly files: readonly { readonly name: string; readonly file: Blob }[]
}

export const download = createStore<Download | null>(null)

const reportOf = { slips: 'packingslip', receipts: 'receipt' } as const satisfies Record<string, ReportType>

/** One at a time (BULK-014): false, and said, when another is running. */
export function startDownload(kind: DownloadKind, selected: readonly Selected[]): boolean {
  const running = download.get()
  if (running?.state === 'running') {
    toast('error', messages.bulkInProgress(Math.max(1, triesAtMost - running.tries)))
    return false
  }
  const asked = selected.slice(0, atOnce)
  const rest = selected.slice(atOnce)
  download.set({ kind, asked, rest, state: 'running', tries: 0, done: 0, failed: [], files: [] })
  void run(kind, asked).catch(() => {
    patch({ state: 'failed' })
    toast('error', messages.bulkDownloadFailed)
  })
  return true
}

function patch(change: Partial<Download>): void {
  const now = download.get()
  if (now) download.set({ ...now, ...change })
}

async function run(kind: DownloadKind, asked: readonly Selected[]): Promise<void> {
  const tmk = merchantKey()
  const { batch_id } = await begin(kind, asked, tmk)
  for (let tries = 1; tries <= triesAtMost + 1; tries++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const batch = await call('GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}', { params: { tmk, batch_id } })
    patch({ tries, done: batch.completed_count, failed: batch.failed })
    if (batch.completed_count + batch.error_count === batch.total_count) return finish(kind, batch)
  }
  patch({ state: 'slow' })
  toast('error', messages.bulkSlow)
}

function begin(kind: DownloadKind, asked: readonly Selected[], tmk: string) {
  if (kind === 'details')
    return call('POST /m/v2/merchant/{tmk}/orders/bulk/details', {
      params: { tmk },
      body: { items: asked.map(({ id }) => id) },
    })
  return call('POST /m/v2/merchant/{tmk}/orders/bulk/reports', {
    params: { tmk },
    body: { order_keys: asked.map(({ reference }) => reference), report_types: [reportOf[kind]] },
  })
}

async function finish(kind: DownloadKind, batch: Batch): Promise<void> {
  const address = kind === 'details' ? batch.batch_pdf_urls.download : batch.batch_pdf_urls[reportOf[kind]]
  const files = address === null ? [] : [{ name: nameOf(kind, batch), file: await followToFile(address) }]
  patch({ state: 'done', files })
  for (const { name, file } of files) saveBlob(name, file)
  const [first] = files
  if (first && kind !== 'details') printBlob(first.file)
  if (batch.error_count > 0) toast('error', failureOf(kind, batch))
}

function failureOf(kind: DownloadKind, batch: Batch): string {
  if (kind !== 'details') return messages.bulkReportsSomeFailed
  return batch.completed_count === 0 ? messages.bulkDetailsAllFailed : messages.bulkDetailsSomeFailed
}

function nameOf(kind: DownloadKind, batch: Batch): string {
  const base = { slips: 'packing-slips', receipts: 'receipts', details: 'orders' }[kind]
  return `${base}-${batch.total_count}.${kind === 'details' ? 'csv' : 'pdf'}`
}
