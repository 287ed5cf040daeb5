import { bulkLimit } from '@cellarhand/contract/bulk'
import { useState } from 'react'
import type { BulkDialogProps } from '#orders/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import { DownloadDialog } from './download-dialog.tsx'

/** Asks first, because labels cost money. */
export function LabelsDialog(props: BulkDialogProps) {
  // Labelled orders leave the selection; the dialog's question must not change.
  const [selected] = useState(props.selected)
  const [isSure, setSure] = useState(false)
  if (isSure) return <DownloadDialog kind="labels" {...props} selected={selected} />
  const count = selected.length > bulkLimit ? `the first ${bulkLimit}` : `these ${selected.length}`
  return (
    <Dialog title="Shipping Labels" onClose={props.onClose}>
      <p>
        {selected.length === 1
          ? 'A label is bought for this order: one box, '
          : `Labels are bought for the accepted parcels among ${count} orders: one box each, `}
        with the weight of the order and no declared value. What cannot be labelled like that is listed with
        the reason.
      </p>
      <DialogButtons>
        <Button look="plain" onClick={props.onClose}>
          CANCEL
        </Button>
        <Button data-autofocus onClick={() => setSure(true)}>
          BUY LABELS
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
