import type { AgeCheckMethod } from '@cellarhand/contract/door-checks'
import { methodLabel } from '@cellarhand/contract/labels'
import { messages } from '@cellarhand/contract/messages'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconHomeCheck from '@tabler/icons-react/dist/esm/icons/IconHomeCheck.mjs'
import IconTruckDelivery from '@tabler/icons-react/dist/esm/icons/IconTruckDelivery.mjs'
import { useEffect, useState } from 'react'
import type { Order, StepDialogProps } from '#orders/public.ts'
import { useEarly } from '#lib/parts/late-press.ts'
import { allowedActions, asSeen, MovedOnNotice, useOrderCommand } from '#orders/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { FormDialog } from '#ui/dialogs/form-dialog.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { AgeCheckField } from './age-check-field.tsx'
import { courierWords } from './courier-words.ts'
import styles from './deliver-dialog.module.css'
import type { Start } from './delivered-form.tsx'
import { DeliveredForm, useNeeds } from './delivered-form.tsx'
import type { IdCheck } from './id-check-field.tsx'
import { forgetScan } from './licence/listen-for-licence.ts'
import { RefusedForm } from './refused-form.tsx'

/** The road of an order that the shop delivers itself: out for delivery, then delivered. */
export function DeliverDialog({ order, onClose, onStep }: StepDialogProps) {
  const [refused, setRefused] = useState<IdCheck>()
  // Once the clerk has touched what it asks about the hand-over it keeps asking, also when somebody else brings the order
  // back: otherwise what was typed would be lost, and the same press would send the refused order out again.
  const [touched, setTouched] = useState<Order>()
  const out = touched ?? (order.status === 'MERCHANT_SHIPPED' ? order : undefined)
  const isOut = out !== undefined
  // The second step and the refusal come by themselves, with buttons of their own under the focus.
  const isEarly = useEarly(refused ?? isOut)
  const [start, setStart] = useState<Start>()
  const touch = () => setTouched((before) => before ?? order)
  // No form has taken the scan where a colleague has brought the order back.
  useEffect(() => forgetScan, [])
  return (
    <FormDialog title="Deliver Order" onClose={onClose}>
      <p className={styles.lead}>
        Order <b>#{order.id}</b>, {methodLabel(order.delivery.method, order.courier_estimate_id)}, to{' '}
        <bdi>
          {order.recipient.first_name} {order.recipient.last_name}
        </bdi>
        , {order.recipient.street_1}
      </p>
      <ol className={styles.stages}>
        <li data-done={isOut || undefined} aria-current={isOut ? undefined : 'step'}>
          <IconTruckDelivery size={20} aria-hidden />
          {isOut ? 'Is out for delivery' : 'Out for delivery'}
        </li>
        <li aria-current={isOut ? 'step' : undefined}>
          <IconHomeCheck size={20} aria-hidden />
          {isOut ? 'Delivered' : 'Delivered, once it is out'}
        </li>
      </ol>
      {!isOut && <SendOut {...{ order, onClose, onStep }} onStart={setStart} />}
      {isOut && (
        <div
          className={styles.form}
          data-early={isEarly || undefined}
          onPointerDownCapture={touch}
          onKeyDownCapture={(event) => {
            touch()
            // A key that is held would go through all that the hand-over asks, to its end.
            const isPress =
              event.key === 'Enter' || (event.key === ' ' && event.target instanceof HTMLButtonElement)
            if (isPress && (event.repeat || isEarly)) event.preventDefault()
          }}
          onClickCapture={touch}
        >
          <MovedOnNotice order={order} action="deliver" />
          {refused ? (
            <RefusedForm
              {...{ order, seen: out, onClose, onSeen: setTouched }}
              found={refused}
              onBack={() => setRefused(undefined)}
            />
          ) : (
            <DeliveredForm
              {...{ order, seen: out, onClose, onSeen: setTouched, start }}
              onRefused={setRefused}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}

interface SendOutProps extends StepDialogProps {
  onStart: (start: Start) => void
}

function SendOut({ order, onClose, onStep, onStart }: SendOutProps) {
  const [seen, setSeen] = useState(order)
  const { needsCheck, needsScan } = useNeeds(order)
  // MARK DELIVERED stays for the second step, which asks when the order was delivered.
  const [goesOn, setGoesOn] = useState(false)
  const sendOut = useOrderCommand({
    event: 'On Demand - Out for Delivery',
    order,
    send: (body: { id: string; status: 'MERCHANT_SHIPPED'; version?: number }, ask) =>
      ask('PUT /m/v2/orders/{id}', { params: { id: order.id }, body }),
    success: messages.deliveryUpdated,
    onDone: (changed) => (changed && goesOn ? 'stay' : onClose()),
    onOvertaken(current) {
      const now = allowedActions(current)
      // Where a colleague has sent it out, the second step is next.
      return now.has('send_out') || (goesOn && now.has('deliver')) ? setSeen(current) : 'leave'
    },
  })
  const send = (isDelivered: boolean, method: AgeCheckMethod | null = null): void => {
    setGoesOn(isDelivered)
    if (isDelivered) onStart({ method })
    sendOut.mutate({ id: order.id, ...asSeen(seen), status: 'MERCHANT_SHIPPED' })
  }
  const actions = allowedActions(order)
  // Somebody else is on the way for these bottles already.
  const isSecond = actions.has('cancel_courier')
  return (
    <div className={styles.form}>
      <MovedOnNotice order={order} action="send_out" />
      {isSecond && (
        <Notice icon={IconAlertTriangle} hue="amber">
          <b>A courier has this delivery.</b> {order.courier_info?.provider ?? 'Courier'}:{' '}
          {courierWords(order.courier_info?.order_status ?? '')}. If you send somebody else, two people
          deliver one order. Cancel the courier first.
        </Notice>
      )}
      {!isSecond && needsCheck && !needsScan && (
        // Sends the order out and goes on to the second step, where MARK DELIVERED is still to be pressed.
        <AgeCheckField
          title="Delivered already? Choose the ID that was seen"
          value={null}
          onChange={(method) => {
            if (!sendOut.isPending) send(true, method)
          }}
        />
      )}
      <DialogButtons>
        <Button look="plain" onClick={onClose} disabled={sendOut.isPending}>
          CLOSE
        </Button>
        {actions.has('request_courier') && (
          <Button look="plain" onClick={() => onStep('courier')} disabled={sendOut.isPending}>
            CALL A COURIER
          </Button>
        )}
        {!isSecond && (
          <Button
            look="plain"
            isBusy={sendOut.isPending && goesOn}
            disabled={sendOut.isPending && !goesOn}
            onClick={() => send(true)}
          >
            MARK DELIVERED
          </Button>
        )}
        <Button
          look={isSecond ? 'plain' : 'primary'}
          data-autofocus={!isSecond || undefined}
          isBusy={sendOut.isPending && !goesOn}
          disabled={sendOut.isPending && goesOn}
          onClick={() => send(false)}
        >
          OUT FOR DELIVERY
        </Button>
        {isSecond && (
          <Button data-autofocus onClick={() => onStep('courier_details')} disabled={sendOut.isPending}>
            FOLLOW COURIER
          </Button>
        )}
      </DialogButtons>
    </div>
  )
}
