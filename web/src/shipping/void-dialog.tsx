import { statusLabels } from '@cellarhand/contract/decisions'
import { isFinishedForMerchant, statusFromWire } from '@cellarhand/contract/order-statuses'
import type { StepDialogProps } from '#orders/public.ts'
import { useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import type { Label } from './queries.ts'
import dialogStyles from './label-dialog.module.css'
import styles from './labels-part.module.css'

interface Props extends Pick<StepDialogProps, 'order' | 'onClose'> {
  labels: readonly Label[]
}

export function VoidDialog({ order, labels, onClose }: Props) {
  const give = useOrderCommand({
    event: 'Void Labels',
    order,
    send: (_, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void', {
        params: { tmk: merchantKey(), id: order.id },
      }),
    isKeyless: true,
    success: wordsOf,
    failure: 'The labels could not all be voided.',
    onDone: onClose,
  })
  return (
    <Dialog title="Void Shipping Labels" onClose={onClose}>
      <div className={dialogStyles.form}>
        <p>
          These labels become worthless and the order goes back to be shipped again. Please destroy what was
          printed already.
        </p>
        <ul className={styles.list}>
          {labels.map(({ box, carrier, tracking_code }) => (
            <li key={box}>
              Box {box}: {carrier} {tracking_code}
            </li>
          ))}
        </ul>
        <DialogButtons>
          <Button look="plain" data-autofocus onClick={onClose} disabled={give.isPending}>
            CLOSE
          </Button>
          <Button isBusy={give.isPending} onClick={() => give.mutate(undefined)}>
            VOID LABELS
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  )
}

/** The carrier's or the marketplace's news may have arrived while the labels were being voided. */
function wordsOf({ status }: StepDialogProps['order']): string {
  const known = statusFromWire(status)
  if (known === undefined || !isFinishedForMerchant(known))
    return 'Shipping labels voided. The order can be shipped again.'
  return `Shipping labels voided and refunded. The order moved on meanwhile and stays as it is: ${statusLabels[known]}.`
}
