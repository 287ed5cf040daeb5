import { owesRestocking } from '@cellarhand/contract/door-checks'
import { isPickable } from '@cellarhand/contract/judge-pick'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { useShopDay } from '#lib/time/shop-day.ts'
import { useTimezone } from '#merchants/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogScope } from '#ui/dialogs/late-note.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { changeScope } from '../state/changes-answered.ts'
import { CameBackButton, CameBackNotice } from './came-back.tsx'
import { lineOptionsOf } from './line-options.ts'
import { MethodNotice } from '../order/method-notice.tsx'
import type { NextStep, Step, StepDialogProps } from '../order/next-step.ts'
import { allowedActions } from '../state/allowed-actions.ts'
import { isCompletedFlagged, useSteps } from '../order/next-step.ts'
import { noticeOrders } from '../state/alarms.ts'
import { OnTrackBadge } from '../order/on-track-badge.tsx'
import { OrderHistory } from '../history/order-history.tsx'
import { OrderPart } from './order-part.tsx'
import { OrderPlace } from './order-place.tsx'
import { OrderPagePending } from '../order/pending-pages.tsx'
import { OrderProducts } from './order-products.tsx'
import { OrderRecipient } from './order-recipient.tsx'
import { OrderSteps } from './order-steps.tsx'
import { OrderSummary } from './order-summary.tsx'
import { useOnIt } from '../live/presence.ts'
import type { OrderDetail } from '../state/queries.ts'
import { orderQuery } from '../state/queries.ts'
import styles from './order-page.module.css'
import { StatusPill } from '../order/status-pill.tsx'
import { StepDialog } from '../decide/step-dialog.tsx'
import { notSent, useWhyItWaits } from '../order/unconfirmed.ts'
import { useProductDialogs } from './use-product-dialogs.tsx'
import { TakePart } from '../taken/take-part.tsx'
import { WhoIsOnIt } from '../live/who-is-on-it.tsx'

const route = getRouteApi('/signed-in/orders/view/$id')

export function OrderPage() {
  const { id } = route.useParams()
  const { data: order, isFetching } = useQuery(orderQuery(id))
  if (!order) return <OrderPagePending />
  return (
    <DialogScope value={changeScope(id)}>
      <OpenOrder key={id} order={order} isFetching={isFetching} />
    </DialogScope>
  )
}

function OpenOrder({ order, isFetching }: { order: OrderDetail; isFetching: boolean }) {
  const timezone = useTimezone()
  const [step, setStep] = useState<{ step: Step; from?: StepDialogProps['from'] } | null>(() =>
    showsCourierFirst(order) ? { step: 'courier_details' } : null,
  )
  const products = useProductDialogs(order)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  useEffect(() => noticeOrders([order.id]), [order.id])
  useOnIt(order.id, 'viewing')

  // The clerk who has it is named beside it.
  const { taken: _, ...untaken } = order
  const steps = useSteps(order)
  const [next] = steps
  const waits = useWhyItWaits(order)
  const waitsHere = notSent.use().has(order.id)
  // A presale's day may begin while the order stands open.
  useShopDay()
  const actions = allowedActions(order)
  const canReject = actions.has('reject') || actions.has('reject_partly')
  const isReadOnly = isCompletedFlagged(order)
  const go = (to: Step, from?: Step): void => setStep({ step: to, from })
  const part = { order, timezone, onStep: go, isReadOnly }
  const navigate = useNavigate()
  const canPick = isPickable(order.status)
  const pick = (): void => void navigate({ to: '/pick/$ids', params: { ids: order.id } })
  const press = (wanted: readonly Step[]): void => {
    const found = steps.find((each) => wanted.includes(each.step))
    if (found && waits === undefined) go(found.step)
  }
  useShortcuts({
    w: () => canPick && pick(),
    a: () => next?.step === 'accept' && !waitsHere && go('accept'),
    r: () => canReject && !waitsHere && go('reject'),
    l: () => press(['labels', 'track']),
    h: () => press(['courier_details', 'courier', 'deliver']),
    u: focusNextReport,
  })

  // Refused for the ID or the age, and back in the shop: the rejection tells the marketplace, so it comes first.
  const isRejectFirst = canReject && owesRestocking(order)
  const buttons = <OrderButtons {...{ steps, waits, waitsHere, canReject, isRejectFirst }} onStep={go} />
  return (
    <div className={styles.page}>
      <OrderPlace order={order} />
      <div className={styles.sub}>
        <BackButton />
        <h1 ref={title} tabIndex={-1}>
          #{order.id}
        </h1>
        <StatusPill order={order} />
        <OnTrackBadge order={order} timezone={timezone} />
        <WhoIsOnIt order={untaken} />
        <TakePart order={order} timezone={timezone} />
        <div className={styles.topActions} data-commands>
          {/* These buttons come a moment later, and must not push the others away from under a hand. */}
          <OrderPart place="documents" room={documentsRoom} {...part} />
          {canPick && (
            <Button look="plain" onClick={pick}>
              Pick <kbd aria-hidden>w</kbd>
            </Button>
          )}
          <CameBackButton order={order} />
          <div className={styles.decisions}>{buttons}</div>
        </div>
      </div>
      <OrderSteps order={order} timezone={timezone} />
      {waits !== undefined && (
        <Notice icon={IconClock} hue="amber" live>
          {waitsHere
            ? 'Not sent yet. Your decision is kept on this device and is sent when the connection is back. The next step waits for the server’s answer.'
            : 'Not confirmed yet. The server has not answered, so this order may not be accepted. The next step waits for the server’s answer.'}
        </Notice>
      )}
      {isReadOnly && (
        <Notice icon={IconCircleCheck}>
          {order.status === 'MERCHANT_SHIPPED'
            ? 'The carrier has this order: it can be read and printed. Its label or tracking can be corrected.'
            : 'This order is finished here: it can be read and printed.'}
        </Notice>
      )}
      <CameBackNotice order={order} timezone={timezone} />
      <OrderPart place="duties" {...part} />
      <MethodNotice order={order} />
      {order.status_recent_comment && order.status !== 'SUBMITTED' && (
        <Notice icon={IconBan}>{order.status_recent_comment}</Notice>
      )}
      <div className={styles.blocks}>
        <OrderRecipient order={order} timezone={timezone} onStep={go} />
        <OrderSummary order={order} timezone={timezone} />
      </div>
      <OrderProducts order={order} options={lineOptionsOf(order)} onOpen={products.open} />
      <OrderPart place="notes" {...part} />
      <OrderHistory order={order} isLoading={isFetching} timezone={timezone} />
      {(next || canReject) && (
        <div className={styles.bottom} data-commands>
          {buttons}
        </div>
      )}
      <StepDialog open={step && { ...step, order }} onChange={setStep} />
      {products.dialog}
    </div>
  )
}

/** While a courier has the order, clerks open it to see the courier's progress (VIEW-005, GAP-96). */
function showsCourierFirst({ status, courier_info }: OrderDetail): boolean {
  return status === 'MERCHANT_SHIPPED' && Boolean(courier_info?.order_status)
}

interface ButtonsProps {
  steps: readonly NextStep[]
  waits: string | undefined
  /** A decision about the order waits on this device. */
  waitsHere: boolean
  canReject: boolean
  isRejectFirst: boolean
  onStep: (step: Step) => void
}

function OrderButtons({ steps, waits, waitsHere, canReject, isRejectFirst, onStep }: ButtonsProps) {
  const [next, ...others] = steps
  const reject = canReject && (
    <Button
      look={isRejectFirst ? 'primary' : 'plain'}
      disabled={waitsHere}
      title={waitsHere ? waits : undefined}
      onClick={() => onStep('reject')}
    >
      Reject <kbd aria-hidden>r</kbd>
    </Button>
  )
  return (
    <>
      {!isRejectFirst && reject}
      {others.map(({ step, label }) => (
        <Button
          key={label}
          look="plain"
          disabled={waits !== undefined}
          title={waits}
          onClick={() => onStep(step)}
        >
          {label}
        </Button>
      ))}
      {next && (
        <Button
          look={isRejectFirst ? 'plain' : 'primary'}
          disabled={waits !== undefined}
          title={waits}
          onClick={() => onStep(next.step)}
        >
          {next.label} {keyOf[next.step] && <kbd aria-hidden>{keyOf[next.step]}</kbd>}
        </Button>
      )}
      {isRejectFirst && reject}
    </>
  )
}

/** Of Print Packing Slip and Print Receipt, which take two rows on a narrow phone. */
const documentsRoom = (
  <>
    <span className={styles.slipRoom} />
    <span className={styles.receiptRoom} />
  </>
)

const keyOf: Partial<Record<Step, string>> = {
  accept: 'a',
  labels: 'l',
  track: 'l',
  courier: 'h',
  courier_details: 'h',
  deliver: 'h',
}

/** Each press goes to the Out of stock of the next line; Enter opens it. */
function focusNextReport(): void {
  const reports = [...document.querySelectorAll<HTMLElement>('[data-report="outOfStock"]:enabled')]
  const at = reports.findIndex((each) => each === document.activeElement)
  reports[(at + 1) % reports.length]?.focus()
}

function BackButton() {
  const router = useRouter()
  const navigate = useNavigate()
  const canGoBack = useCanGoBack()
  return (
    <button
      type="button"
      className={styles.back}
      aria-label="Back to the list"
      onClick={() => (canGoBack ? router.history.back() : void navigate({ to: '/orders' }))}
    >
      <IconArrowLeft size={20} aria-hidden />
    </button>
  )
}
