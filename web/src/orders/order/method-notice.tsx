import { messages } from '@cellarhand/contract/messages'
import { isPresaleReady } from '@cellarhand/contract/order-guards'
import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { formatDay, formatTime } from '#lib/time/dates.ts'
import { shopToday } from '#lib/time/shop-day.ts'
import { untilWords } from '#lib/time/until-words.ts'
import { useTimezone } from '#merchants/public.ts'
import { Notice } from '#ui/notes/notice.tsx'
import type { Order } from '@cellarhand/contract/orders'

/** What the delivery method, and a presale, ask of the shop. */
export function MethodNotice({ order }: { order: Order }) {
  return (
    <>
      {isBlockedPresale(order) && (
        <Notice icon={IconClock} hue="amber">
          {messages.presaleNotReady}
        </Notice>
      )}
      <OwnNotice order={order} />
    </>
  )
}

function OwnNotice({ order }: { order: Order }) {
  const timezone = useTimezone()
  const { method, date, window } = order.delivery
  if (method === 'on_demand') {
    if (isFinishedForMerchant(order.status)) return null
    return (
      <Notice hue="amber" icon={IconClock}>
        {messages.onDemandNotice}
        {order.on_track_status?.deadline_at && (
          <span> Due by {untilWords(order.on_track_status.deadline_at, timezone)}.</span>
        )}
      </Notice>
    )
  }
  if (method === 'scheduled') {
    const day = date ? formatDay(date) : ''
    const times = window
      ? `${formatTime(window[0] ?? '', timezone)} to ${formatTime(window[1] ?? '', timezone)}`
      : ''
    return (
      <Notice hue="plain" icon={IconClock}>
        Scheduled delivery: <b>{[day, times].filter(Boolean).join(', ')}</b>
      </Notice>
    )
  }
  if (method === 'preorder') return <Notice icon={IconInfoCircle}>{messages.paidInFull}</Notice>
  if (method === 'deposit') return <Notice icon={IconInfoCircle}>{messages.depositBalance}</Notice>
  return null
}

/** An accepted order that may not be shipped yet because its products are not out. */
function isBlockedPresale(order: Order): boolean {
  const isReady = ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED', 'PAYMENT_APPROVED'].includes(order.status)
  return isReady && !isPresaleReady(order, shopToday())
}
