import { bulkLimit } from '@cellarhand/contract/bulk'
import { messages } from '@cellarhand/contract/messages'
import { paperLabels } from '@cellarhand/contract/paper-formats'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useEffect, useRef } from 'react'
import { isForLabelPrinter, printBlob } from '#lib/output/print-file.ts'
import { saveBlob } from '#lib/output/save-file.ts'
import type { BulkDialogProps, Selected } from '#orders/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import {
  download,
  isPrinted,
  printSoFar,
  startDownload,
  startDownloadNext,
  type Download,
  type DownloadKind,
} from './downloads.ts'
import styles from './download-dialog.module.css'
import { FailedOrders } from './failed-orders.tsx'

const titles: Record<DownloadKind, string> = {
  slips: 'Packing Slips',
  receipts: 'Receipts',
  labels: 'Shipping Labels',
  details: 'Order Details',
}

export function SlipsDialog(props: BulkDialogProps) {
  return <DownloadDialog kind="slips" {...props} />
}

export function ReceiptsDialog(props: BulkDialogProps) {
  return <DownloadDialog kind="receipts" {...props} />
}

export function DetailsDialog(props: BulkDialogProps) {
  return <DownloadDialog kind="details" {...props} />
}

interface DownloadDialogProps extends BulkDialogProps {
  readonly kind: DownloadKind
  /** The slips of an accept wait for a download that already runs. */
  readonly isNext?: boolean
}

/** Starts when it opens, because the press was the request. Closing the dialog stops nothing. */
export function DownloadDialog({ kind, selected, onClose, isNext = false }: DownloadDialogProps) {
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    if (isNext) startDownloadNext(kind, selected)
    else startDownload(kind, selected)
  }, [kind, selected, isNext])
  const current = download.use()
  if (!current) return null
  return (
    <Dialog title={titles[current.kind]} onClose={onClose}>
      {(current.kind === 'slips' || current.kind === 'receipts') && (
        <p>On {paperLabels[current.paper ?? 'letter']}. The menu Settings has the paper of this device.</p>
      )}
      <Progress current={current} />
      {current.rest.length > 0 && (
        <p>
          One file holds {bulkLimit}. The other {current.rest.length} follow with NEXT.
        </p>
      )}
      {current.state === 'slow' && (
        <Notice icon={IconClock} hue="amber">
          {messages.bulkSlow}
        </Notice>
      )}
      {current.state === 'failed' && (
        <Notice icon={IconAlertCircle} hue="red">
          {messages.bulkDownloadFailed}
        </Notice>
      )}
      {current.state === 'done' && current.printed > 0 && (
        <p>
          {current.printed} of these were printed before. The file and PRINT hold all {current.done}.
        </p>
      )}
      {current.files.some(({ file }) => isForLabelPrinter(file.type)) && (
        <p>The file is saved. Send it to your label printer.</p>
      )}
      {current.failed.length > 0 && (
        <FailedOrders
          title={`${current.failed.length} of ${current.asked.length} ${current.kind === 'labels' ? 'got no label' : 'could not be included'}`}
          failed={current.failed}
        />
      )}
      <DialogButtons>
        <NextSteps current={current} />
        <Button data-autofocus look={current.state === 'done' ? 'primary' : 'plain'} onClick={onClose}>
          CLOSE
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

function Progress({ current }: { current: Download }) {
  const { asked, done, failedCount, inDoubt, state } = current
  const ended = done + failedCount
  const words = [
    `${done} of ${asked.length}`,
    ...(failedCount > 0 ? [`${failedCount} failed`] : []),
    ...(inDoubt > 0 ? [`${inDoubt} being checked with the carrier`] : []),
  ].join(', ')
  return (
    <>
      {state === 'done' && <p>Ready.</p>}
      {state === 'running' && <p>Being made. You can close this and go on.</p>}
      <progress className={styles.progress} max={asked.length} value={ended} aria-label="Orders done" />
      <p className={styles.count} role="status">
        {words}
      </p>
      {inDoubt > 0 && (
        <Notice icon={IconClock} hue="amber">
          The carrier’s answer was lost for {inDoubt} of them. The server is checking with the carrier, so
          that no label is bought twice.
        </Notice>
      )}
    </>
  )
}

function NextSteps({ current }: { current: Download }) {
  const { kind, key, state, files, asked, done, failed, rest, soFar } = current
  const printNow = soFar !== null && (state === 'running' || state === 'slow') && (
    <Button look="plain" onClick={() => void printSoFar(current)}>
      PRINT THE {done}
    </Button>
  )
  if (state === 'running') return printNow
  const failedIds = new Set(failed.map(({ id }) => id))
  const again: readonly Selected[] =
    state === 'failed'
      ? asked
      : asked.filter(({ id, reference }) => failedIds.has(id) || failedIds.has(reference))
  const [first] = files
  return (
    <>
      {printNow}
      {again.length > 0 && (
        <Button look="plain" onClick={() => startDownload(kind, again, state === 'failed' ? key : undefined)}>
          TRY {again.length} AGAIN
        </Button>
      )}
      {rest.length > 0 && (
        <Button look="plain" onClick={() => startDownload(kind, rest)}>
          NEXT {Math.min(rest.length, bulkLimit)}
        </Button>
      )}
      {first && (
        <Button look="plain" onClick={() => saveBlob(first.name, first.file)}>
          SAVE AGAIN
        </Button>
      )}
      {first && isPrinted(kind, first.file) && (
        <Button look="plain" onClick={() => printBlob(first.file)}>
          PRINT
        </Button>
      )}
    </>
  )
}
