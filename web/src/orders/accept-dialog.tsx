import { methodLabel } from '@cellarhand/contract/labels'
import { formatDollars } from '@cellarhand/contract/money'
import { call } from '#lib/call.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialog.tsx'
import { recipientName } from './columns.tsx'
import styles from './dialogs.module.css'
import { MethodNotice } from './method-notice.tsx'
import type { StepDialogProps } from './next-step.ts'
import { useOrderCommand } from './use-order-command.ts'
import { WhoIsOnIt } from './who-is-on-it.tsx'

export function AcceptDialog({ order, onClose, onStep }: StepDialogProps) {
  const accept = useOrderCommand({
    order,
    send: (body: { id: string; status: 'MERCHANT_ACCEPTED' }, idempotencyKey) =>
      call('PUT /m/v2/orders/{id}', { params: { id: order.id }, body }, { idempotencyKey }),
    onDone: onClose,
  })
  return (
    <Dialog title="Accept & Confirm" onClose={onClose}>
      <p className={styles.lead}>
        Order <b>#{order.id}</b> for {recipientName(order)},{' '}
        {methodLabel(order.delivery.method, order.courier_estimate_id)},{' '}
        {formatDollars(order.transaction.total)}
      </p>
      <ul className={styles.lines}>
        {order.items
          .filter((item) => !item.parent_line_item_id)
          .map((item) => (
            <li key={item.id}>
              <b>{item.quantity} ×</b> {item.name}
              {item.product?.container_size && <span> {item.product.container_size}</span>}
            </li>
          ))}
      </ul>
      <MethodNotice order={order} />
      <WhoIsOnIt orderId={order.id} />
      <DialogButtons>
        <Button look="plain" disabled={accept.isPending} onClick={() => onStep('reject')}>
          REJECT
        </Button>
        <Button
          data-autofocus
          isBusy={accept.isPending}
          onClick={() => accept.mutate({ id: order.id, status: 'MERCHANT_ACCEPTED' })}
        >
          ACCEPT
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
