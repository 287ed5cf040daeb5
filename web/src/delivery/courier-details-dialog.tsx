import { courierRoad } from '@cellarhand/contract/courier-states'
import { messages } from '@cellarhand/contract/messages'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { useTimezone } from '#merchants/public.ts'
import type { StepDialogProps } from '#orders/public.ts'
import { allowedActions, useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Fact } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { RefreshButton } from './courier-part.tsx'
import { courierRoadLabels, courierWords } from './courier-words.ts'
import styles from './deliver-dialog.module.css'
import { listedError } from './first-error.ts'

/** The courier's place, the request, and the button that cancels it. */
export function CourierDetailsDialog({ order, onClose, onStep }: StepDialogProps) {
  const timezone = useTimezone()
  const actions = allowedActions(order)
  const cancel = useOrderCommand({
    event: 'Cancel Courier',
    order,
    send: (_, ask) => {
      const params = { tmk: merchantKey(), id: order.id }
      return ask('POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel', { params })
    },
    isKeyless: true,
    success: messages.courierSaved,
    onDone: onClose,
    onFailure: listedError,
  })
  const refused = listedError(cancel.error)
  const { courier_info: info } = order
  if (info === null) return null
  const time = (at: string | null) => at && <Moment at={at} timezone={timezone} />
  return (
    <Dialog title="Courier Details" onClose={onClose}>
      <p className={styles.lead} role="status">
        <b>{info.provider ?? 'Courier'}</b>: {courierWords(info.order_status)}
      </p>
      <Road orderStatus={info.order_status} />
      <dl className={styles.facts}>
        <Fact name="Bags">{info.number_of_packages}</Fact>
        <Fact name="Requested">{time(info.requested_pickup_time)}</Fact>
        <Fact name="Pickup expected">{time(info.estimated_pickup_time)}</Fact>
        <Fact name="Delivery expected">{time(info.estimated_delivery_time)}</Fact>
        <Fact name="Tracking">
          {info.tracking_url && (
            <a href={info.tracking_url} target="_blank" rel="noopener noreferrer">
              Follow the courier <IconExternalLink size={14} aria-label="(opens in a new tab)" />
            </a>
          )}
        </Fact>
        <Fact name="Pickup instructions">{order.aux_data.courier_pick_instructions}</Fact>
      </dl>
      {refused !== undefined && (
        <p role="alert" className={styles.problem}>
          {refused}
        </p>
      )}
      <DialogButtons>
        <Button look="plain" onClick={onClose} disabled={cancel.isPending}>
          CLOSE
        </Button>
        {actions.has('cancel_courier') && (
          <Button look="plain" isBusy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            CANCEL COURIER
          </Button>
        )}
        {order.status === 'MERCHANT_ACCEPTED' && <RefreshButton order={order} />}
        {actions.has('request_courier') && <Button onClick={() => onStep('courier')}>REQUEST PICKUP</Button>}
      </DialogButtons>
    </Dialog>
  )
}

function Road({ orderStatus }: { orderStatus: string }) {
  const reached = (courierRoad as readonly string[]).indexOf(orderStatus)
  if (reached === -1) return null
  return (
    <ol className={styles.road}>
      {courierRoad.map((stage, index) => (
        <li
          key={stage}
          data-done={index <= reached || undefined}
          aria-current={index === reached ? 'step' : undefined}
        >
          {courierRoadLabels[stage]}
        </li>
      ))}
    </ol>
  )
}
