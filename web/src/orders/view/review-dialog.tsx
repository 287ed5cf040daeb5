import { useState } from 'react'
import { useTimezone } from '#merchants/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import { lineOptionsOf, noOptions } from './line-options.ts'
import { NewestNotes } from '../noted/newest-notes.tsx'
import { MethodNotice } from '../order/method-notice.tsx'
import type { StepDialogProps } from '../order/next-step.ts'
import { allowedActions } from '../state/allowed-actions.ts'
import { OrderProducts } from './order-products.tsx'
import { OrderRecipient } from './order-recipient.tsx'
import { OrderSummary } from './order-summary.tsx'
import styles from './review-dialog.module.css'
import { useAccept } from '../decide/use-accept.ts'
import { useProductDialogs } from './use-product-dialogs.tsx'

/** The order view's three blocks over the list, so that the clerk decides without leaving it (GAP-99). */
export function ReviewDialog({ order, from, onClose, onStep }: StepDialogProps) {
  const timezone = useTimezone()
  const [hasBeenAway, setBeenAway] = useState(false)
  const products = useProductDialogs(order)
  const accept = useAccept(order, onClose)
  // A clerk who came from Accept & Confirm is about to accept, and is not led away from it (VIEW-029).
  const options = from === 'accept' ? noOptions : lineOptionsOf(order)
  if (products.dialog) return products.dialog
  const openProduct: typeof products.open = (dialog) => {
    // A clerk who returns from a line has not decided: the next Enter must not accept.
    setBeenAway(true)
    products.open(dialog)
  }
  const actions = allowedActions(order)
  const canAccept = actions.has('accept')
  const isUndecided = order.status === 'SUBMITTED' || order.status === 'REJECTED_PARTIAL'
  const canReject = isUndecided && (actions.has('reject') || actions.has('reject_partly'))
  return (
    <Dialog title="Review Order" onClose={onClose} size={1080}>
      <div className={styles.review}>
        <p className={styles.number} tabIndex={-1} data-autofocus={hasBeenAway || undefined}>
          Order <b>#{order.id}</b>
        </p>
        <MethodNotice order={order} />
        <NewestNotes ids={[order.id]} only={order.id} />
        <div className={styles.blocks}>
          <OrderRecipient order={order} timezone={timezone} onStep={onStep} />
          <OrderSummary order={order} timezone={timezone} />
        </div>
        <OrderProducts order={order} options={options} onOpen={openProduct} />
      </div>
      {(canReject || canAccept) && (
        <DialogButtons>
          {canReject && (
            <Button look="plain" onClick={() => onStep('reject')}>
              REJECT
            </Button>
          )}
          {canAccept && (
            <Button data-autofocus={!hasBeenAway || undefined} onClick={accept}>
              ACCEPT
            </Button>
          )}
        </DialogButtons>
      )}
    </Dialog>
  )
}
