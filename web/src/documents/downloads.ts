import { bulkLimit } from '@cellarhand/contract/bulk'
import { messages } from '@cellarhand/contract/messages'
import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import type { ReportType } from '@cellarhand/contract/report-files'
import { call, followToFile, type Reply } from '#lib/calls/call.ts'
import { newId } from '#lib/calls/new-id.ts'
import { isForLabelPrinter, printBlob } from '#lib/output/print-file.ts'
import { saveBlob } from '#lib/output/save-file.ts'
import { tryTwice } from '#lib/calls/send-once.ts'
import { preferences } from '#lib/kept/preferences.ts'
import { createStore } from '#lib/kept/store.ts'
import type { Selected } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { takeBackFailure, tellFailure } from '#ui/notes/toasts.tsx'

type Batch = Reply<'GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}'>
export type DownloadKind = 'slips' | 'receipts' | 'labels' | 'details'

const actionOf = (kind: DownloadKind): string => `download ${kind}`
const triesAtMost = 20
const pauseMs = 1_000

/** One download and its progress. It continues when its dialog closes. */
export interface Download {
  readonly kind: DownloadKind
  /** As it was chosen when the download began, so that a retry is the same request. */
  readonly paper: PaperFormat | undefined
  /** A retry after a failure is the same request, so that nothing starts twice. */
  readonly key: string
  readonly asked: readonly Selected[]
  /** The orders beyond the limit of one batch. */
  readonly rest: readonly Selected[]
  readonly state: 'running' | 'slow' | 'done' | 'failed'
  readonly tries: number
  readonly done: number
  readonly failed: NonNullable<Batch['failed']>
  /** Which ones failed is not always told. */
  readonly failedCount: number
  /** How many the carrier is being asked about: their purchase may have gone through, or not. */
  readonly inDoubt: number
  /** The address of the file with all the others meanwhile. */
  readonly soFar: string | null
  /** How many of the file are already printed, and must not print again by themselves. */
  readonly printed: number
  readonly files: readonly { readonly name: string; readonly file: Blob }[]
}

export const download = createStore<Download | null>(null)

const reportOf = { slips: 'packingslip', receipts: 'receipt' } as const satisfies Record<string, ReportType>
const fileOf = { ...reportOf, labels: 'labels', details: 'download' } as const
const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'application/zpl': 'zpl' }

/** One at a time (BULK-014): returns false, and says so, while another one runs. */
export function startDownload(kind: DownloadKind, selected: readonly Selected[], key = newId()): boolean {
  const running = download.get()
  if (running?.state === 'running') {
    tellFailure(actionOf(kind), messages.bulkInProgress(Math.max(1, triesAtMost - running.tries)))
    return false
  }
  takeBackFailure(actionOf(kind))
  const asked = selected.slice(0, bulkLimit)
  const rest = selected.slice(bulkLimit)
  const nothingYet = {
    tries: 0,
    done: 0,
    failed: [],
    failedCount: 0,
    inDoubt: 0,
    soFar: null,
    printed: 0,
    files: [],
  }
  // The same key needs the same body.
  const paper = key === running?.key ? running.paper : preferences.get().paper
  download.set({ kind, key, paper, asked, rest, state: 'running', ...nothingYet })
  void run({ kind, key, paper, asked }).catch(() => {
    patch({ state: 'failed' })
    tellFailure(actionOf(kind), messages.bulkDownloadFailed)
  })
  return true
}

/** As soon as no other one runs: for papers that come with an accept, without a press of their own. */
export function startDownloadNext(kind: DownloadKind, selected: readonly Selected[]): void {
  const isRunning = (): boolean => download.get()?.state === 'running'
  if (!isRunning()) return void startDownload(kind, selected)
  const stop = download.listen(() => {
    if (isRunning()) return
    stop()
    startDownload(kind, selected)
  })
}

function patch(change: Partial<Download>): void {
  const now = download.get()
  if (now) download.set({ ...now, ...change })
}

type Wanted = Pick<Download, 'kind' | 'key' | 'paper' | 'asked'>

async function run(wanted: Wanted): Promise<void> {
  const { kind } = wanted
  const tmk = merchantKey()
  const { batch_id } = await begin(wanted, tmk)
  for (let tries = 1; tries <= triesAtMost + 1; tries++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const batch = await call('GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}', { params: { tmk, batch_id } })
    patch({ tries, ...progressOf(kind, batch) })
    if (batch.completed_count + batch.error_count === batch.total_count) return finish(kind, batch)
  }
  patch({ state: 'slow' })
  tellFailure(actionOf(kind), messages.bulkSlow)
}

function progressOf(kind: DownloadKind, batch: Batch) {
  const inDoubt = batch.in_doubt?.length ?? 0
  return {
    done: batch.completed_count,
    failed: batch.failed ?? [],
    failedCount: batch.failed?.length ?? batch.error_count,
    inDoubt,
    soFar: (inDoubt > 0 ? batch.batch_pdf_urls[fileOf[kind]] : undefined) ?? null,
  }
}

/** Purchases with an unknown result do not keep the others waiting. */
export async function printSoFar({ kind, done, soFar }: Download): Promise<void> {
  if (soFar === null) return
  takeBackFailure(actionOf(kind))
  try {
    const file = await followToFile(soFar)
    saveBlob(nameOf(kind, done, file), file)
    patch({ printed: done })
    if (isPrinted(kind, file)) printBlob(file)
  } catch {
    tellFailure(actionOf(kind), messages.bulkDownloadFailed)
  }
}

function begin(wanted: Wanted, tmk: string): Promise<{ batch_id: string }> {
  return tryTwice((limitMs) => beginOnce(wanted, tmk, limitMs))
}

function beginOnce(
  { kind, key, paper, asked }: Wanted,
  tmk: string,
  limitMs: number,
): Promise<{ batch_id: string }> {
  const params = { tmk }
  const items = asked.map(({ id }) => id)
  const once = { idempotencyKey: key, limitMs }
  if (kind === 'details')
    return call('POST /m/v2/merchant/{tmk}/orders/bulk/details', { params, body: { items } }, once)
  if (kind === 'labels')
    return call('POST /m/v2/merchant/{tmk}/orders/bulk/labels', { params, body: { items } }, once)
  const order_keys = asked.map(({ reference }) => reference)
  const body = { order_keys, report_types: [reportOf[kind]], ...(paper && { paper }) }
  return call('POST /m/v2/merchant/{tmk}/orders/bulk/reports', { params, body }, once)
}

async function finish(kind: DownloadKind, batch: Batch): Promise<void> {
  const address = batch.batch_pdf_urls[fileOf[kind]]
  const fetched = address ? [await followToFile(address)] : []
  const files = fetched.map((file) => ({ name: nameOf(kind, batch.total_count, file), file }))
  patch({ state: 'done', files })
  for (const { name, file } of files) saveBlob(name, file)
  const [first] = files
  if (first && isPrinted(kind, first.file) && download.get()?.printed === 0) printBlob(first.file)
  if (batch.error_count > 0) tellFailure(actionOf(kind), failureOf(kind, batch))
}

/** A file in a label printer's language is saved, and the clerk sends it to that printer. */
export function isPrinted(kind: DownloadKind, file: Blob): boolean {
  return kind !== 'details' && !isForLabelPrinter(file.type)
}

function failureOf(kind: DownloadKind, batch: Batch): string {
  if (kind === 'labels') return 'Some shipping labels were not bought.'
  if (kind !== 'details') return messages.bulkReportsSomeFailed
  return batch.completed_count === 0 ? messages.bulkDetailsAllFailed : messages.bulkDetailsSomeFailed
}

function nameOf(kind: DownloadKind, count: number, file: Blob): string {
  const base = { slips: 'packing-slips', receipts: 'receipts', labels: 'labels', details: 'orders' }[kind]
  const ending = kind === 'details' ? 'csv' : (endings[file.type] ?? 'pdf')
  return `${base}-${count}.${ending}`
}
