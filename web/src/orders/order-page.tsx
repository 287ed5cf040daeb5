import { actionLabels } from '@cellarhand/contract/labels'
import { messages } from '@cellarhand/contract/messages'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '#lib/shortcuts.ts'
import { useTimezone } from '#merchants/public.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { isBlockedPresale, MethodNotice } from './method-notice.tsx'
import type { NextStep, Step } from './next-step.ts'
import { allowedActions, isCompletedFlagged, nextStepOf } from './next-step.ts'
import { noticeOrders } from './alarms.ts'
import { OnTrackBadge } from './on-track-badge.tsx'
import { OrderHistory } from './order-history.tsx'
import { OrderPart } from './order-parts.tsx'
import { OrderPagePending } from './pending-pages.tsx'
import { OrderProducts } from './order-products.tsx'
import { OrderRecipient } from './order-recipient.tsx'
import { OrderSteps } from './order-steps.tsx'
import { OrderSummary } from './order-summary.tsx'
import { useOnIt } from './presence.ts'
import type { OrderDetail } from './queries.ts'
import { orderQuery } from './queries.ts'
import styles from './order-page.module.css'
import { StatusPill } from './status-pill.tsx'
import { StepDialog } from './step-dialog.tsx'
import { WhoIsOnIt } from './who-is-on-it.tsx'

const route = getRouteApi('/signed-in/orders/view/$id')

export function OrderPage() {
  const { id } = route.useParams()
  const { data: order, isFetching } = useQuery(orderQuery(id))
  return order ? <OpenOrder key={id} order={order} isFetching={isFetching} /> : <OrderPagePending />
}

function OpenOrder({ order, isFetching }: { order: OrderDetail; isFetching: boolean }) {
  const timezone = useTimezone()
  const [step, setStep] = useState<Step | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  useEffect(() => noticeOrders([order.id]), [order.id])
  useOnIt(order.id, 'viewing')

  const next = nextStepOf(order)
  const actions = allowedActions(order)
  const canReject = actions.has('reject') || actions.has('reject_partly')
  const isBlocked = isBlockedPresale(order)
  const part = { order, timezone, onStep: setStep, isReadOnly: isCompletedFlagged(order) }
  useShortcuts({
    a: () => next?.step === 'accept' && setStep('accept'),
    r: () => canReject && setStep('reject'),
  })

  const buttons = <OrderButtons next={isBlocked ? undefined : next} canReject={canReject} onStep={setStep} />
  return (
    <div className={styles.page}>
      <div className={styles.sub}>
        <BackButton />
        <h1 ref={title} tabIndex={-1}>
          #{order.id}
        </h1>
        <StatusPill order={order} />
        <OnTrackBadge order={order} timezone={timezone} />
        <WhoIsOnIt orderId={order.id} />
        <div className={styles.topActions} data-commands>
          <OrderPart place="documents" {...part} />
          <div className={styles.decisions}>{buttons}</div>
        </div>
      </div>
      <OrderSteps order={order} timezone={timezone} />
      {isBlocked && (
        <Notice icon={IconClock} hue="amber">
          {messages.presaleNotReady}
        </Notice>
      )}
      <MethodNotice order={order} />
      {order.status_recent_comment && order.status !== 'SUBMITTED' && (
        <Notice icon={IconBan}>{order.status_recent_comment}</Notice>
      )}
      <div className={styles.blocks}>
        <OrderRecipient order={order} timezone={timezone} onStep={setStep} />
        <OrderSummary order={order} timezone={timezone} />
      </div>
      <OrderProducts order={order} />
      <OrderHistory
        history={order.history}
        isLoading={isFetching}
        timezone={timezone}
        labels={actionLabels}
      />
      {(next || canReject) && (
        <div className={styles.bottom} data-commands>
          {buttons}
        </div>
      )}
      <StepDialog open={step && { step, order }} onChange={(open) => setStep(open?.step ?? null)} />
    </div>
  )
}

interface ButtonsProps {
  next: NextStep | undefined
  canReject: boolean
  onStep: (step: Step) => void
}

function OrderButtons({ next, canReject, onStep }: ButtonsProps) {
  return (
    <>
      {canReject && (
        <Button look="plain" onClick={() => onStep('reject')}>
          Reject <kbd aria-hidden>r</kbd>
        </Button>
      )}
      {next && (
        <Button onClick={() => onStep(next.step)}>
          {next.label} {next.step === 'accept' && <kbd aria-hidden>a</kbd>}
        </Button>
      )}
    </>
  )
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
