import { bulkLimit } from '@cellarhand/contract/bulk'
import { formatDollars, toDollars } from '@cellarhand/contract/money'
import { useState } from 'react'
import type { BulkDialogProps } from '#orders/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import styles from './download-dialog.module.css'
import { DownloadDialog } from './download-dialog.tsx'
import { FailedOrders } from './failed-orders.tsx'
import { useQuotes, type Quotes } from './use-quotes.ts'

/** Asks first, because labels cost money, and says how much. */
export function LabelsDialog(props: BulkDialogProps) {
  // Labelled orders leave the selection; the dialog's question must not change.
  const [selected] = useState(props.selected)
  const [isSure, setSure] = useState(false)
  if (isSure) return <DownloadDialog kind="labels" {...props} selected={selected} />
  return <Question {...props} selected={selected} onBuy={() => setSure(true)} />
}

function Question({ selected, onClose, onBuy }: BulkDialogProps & { onBuy: () => void }) {
  const [asked] = useState(() => selected.slice(0, bulkLimit))
  const quotes = useQuotes(asked)
  const isPriced = quotes.answered === asked.length
  const count = selected.length > bulkLimit ? `the first ${bulkLimit}` : `these ${selected.length}`
  return (
    <Dialog title="Shipping Labels" onClose={onClose}>
      <p>
        {selected.length === 1
          ? 'A label is bought for this order: one box, '
          : `Labels are bought for the accepted parcels among ${count} orders: one box each, `}
        with the weight of the order and no declared value. What cannot be labelled like that is listed with
        the reason.
      </p>
      {!isPriced && (
        <progress
          className={styles.progress}
          max={asked.length}
          value={quotes.answered}
          aria-label="Prices known"
        />
      )}
      <p className={isPriced ? styles.sum : styles.count} role="status">
        {isPriced ? sumOf(quotes) : `Asking the carrier for prices: ${quotes.answered} of ${asked.length}`}
      </p>
      {quotes.unpriced.length > 0 && (
        <FailedOrders title={`${quotes.unpriced.length} without a price`} failed={quotes.unpriced} />
      )}
      <DialogButtons>
        <Button look="plain" onClick={onClose}>
          CANCEL
        </Button>
        <Button data-autofocus onClick={onBuy}>
          BUY LABELS
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** The server buys at the quoted prices for 15 minutes; an order without a price, or changed since, is priced anew. */
function sumOf({ labels, cents, services }: Quotes): string {
  if (labels === 0) return 'No price is known.'
  const sum = `${formatDollars(toDollars(cents))} for ${labels === 1 ? '1 label' : `${labels} labels`}`
  return `Estimate: ${sum}, ${services.join(', ')}. The prices hold for 15 minutes.`
}

// In one chunk with this one: each chunk's name adds to the first script.
export { AcceptManyDialog } from './accept-many-dialog.tsx'
export { DetailsDialog, ReceiptsDialog, SlipsDialog } from './download-dialog.tsx'
