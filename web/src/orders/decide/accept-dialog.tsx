import { methodLabel } from '@cellarhand/contract/labels'
import { formatDollars } from '@cellarhand/contract/money'
import { ownLines } from '@cellarhand/contract/order-lines'
import { useEarly } from '#lib/parts/late-press.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import { recipientName } from '../order/facts.ts'
import styles from './dialogs.module.css'
import { MethodNotice } from '../order/method-notice.tsx'
import type { StepDialogProps } from '../order/next-step.ts'
import { NewestNotes } from '../noted/newest-notes.tsx'
import { MovedOnNotice } from './moved-on-notice.tsx'
import { useAccept } from './use-accept.ts'
import { WhoIsOnIt } from '../live/who-is-on-it.tsx'

export function AcceptDialog({ order, from, onClose, onStep }: StepDialogProps) {
  const accept = useAccept(order, onClose)
  // Nobody has read the next order yet, and the press may be the second half of the one that decided the order before.
  const isEarly = useEarly(order.id, from === 'decision')
  return (
    <Dialog title="Accept & Confirm" onClose={onClose}>
      <MovedOnNotice order={order} action="accept" />
      <p className={styles.lead}>
        Order <b>#{order.id}</b> for {recipientName(order)},{' '}
        {methodLabel(order.delivery.method, order.courier_estimate_id)},{' '}
        {formatDollars(order.transaction.total)}
      </p>
      <NewestNotes ids={[order.id]} only={order.id} />
      <ul className={styles.lines}>
        {ownLines(order).map(({ item }) => (
          <li key={item.id}>
            <b>{item.quantity} ×</b> <bdi>{item.name}</bdi>
            {item.product?.container_size && <span> {item.product.container_size}</span>}
          </li>
        ))}
      </ul>
      <MethodNotice order={order} />
      <WhoIsOnIt order={order} />
      <DialogButtons>
        <Button look="plain" className={styles.aside} onClick={() => onStep('review')}>
          Review Order
        </Button>
        <Button look="plain" onClick={() => onStep('reject')}>
          REJECT
        </Button>
        <Button data-autofocus aria-disabled={isEarly} onClick={() => isEarly || accept()}>
          ACCEPT
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
