import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { merchantKey } from '#sign-in/public.ts'
import { allowedActions, orderQuery, ReportPart, StepDialog, type Order } from '#orders/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogPart } from '#ui/dialogs/dialog.tsx'
import { PhoneLink } from '#ui/blocks/phone-link.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { OffSale } from './off-sale.tsx'
import styles from './pick-page.module.css'
import { unreportableWords } from './stopped-words.ts'
import type { Stop } from './walk.ts'

interface Props {
  stop: Stop
  onClose: () => void
}

/** The dialog Out of Stock of the line. Where a line cannot be reported, this one says why and what to do instead. */
export function NotEnough({ stop, onClose }: Props) {
  const queryClient = useQueryClient()
  const { data: order, isError, refetch } = useQuery(orderQuery(stop.order.id))
  const [isRejecting, setRejecting] = useState(false)
  const goOn = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    void queryClient.invalidateQueries({ queryKey: ['GET /m/v2/merchant/{tmk}/picks', merchantKey()] })
    onClose()
  }
  const item = order?.items.find(({ id }) => id === stop.line.id)
  if (order && isRejecting)
    return <StepDialog open={{ step: 'reject', order }} onChange={(open) => open === null && close()} />
  if (order && item && allowedActions(order).has('report_items'))
    return (
      <DialogPart title="Out of Stock" onClose={close}>
        <ReportPart kind="outOfStock" order={order} item={item} stays onClose={close} />
      </DialogPart>
    )
  const mayReject = order !== undefined && item !== undefined && allowedActions(order).has('reject')
  return (
    <Dialog title="Not enough here" onClose={close}>
      {order && <p>{unreportableWords({ ...order, hasLine: item !== undefined, mayReject })}</p>}
      {item && <OffSale stop={stop} next={goOn} />}
      {mayReject && <Call order={order} />}
      {!order && isError && (
        <FailedNote text="The order could not be loaded." onRetry={() => void refetch()} />
      )}
      {!order && !isError && <p role="status">Loading the order.</p>}
      <div className={styles.buttons}>
        <Button ref={goOn} onClick={close}>
          Go on picking
        </Button>
        {mayReject && (
          <Button look="plain" onClick={() => setRejecting(true)}>
            Reject the order
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** The recipient is called where the order has no number of the customer. */
function Call({ order: { customer, recipient } }: { order: Pick<Order, 'customer' | 'recipient'> }) {
  const number = customer.phone_number || recipient.phone_number
  if (!number) return null
  return (
    <p className={styles.choice}>
      Call the {customer.phone_number ? 'customer' : 'recipient'} before you reject the order:{' '}
      <PhoneLink number={number} />
    </p>
  )
}
