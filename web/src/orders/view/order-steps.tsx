import { deliveredWords } from '@cellarhand/contract/age-check'
import type { OrderStatus } from '@cellarhand/contract/order-statuses'
import { isLocal } from '@cellarhand/contract/order-statuses'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { serverNow } from '#lib/time/server-clock.ts'
import { newestFirst } from '../history/order-history.tsx'
import type { OrderDetail } from '../state/queries.ts'
import styles from './order-steps.module.css'
import { useUnconfirmed } from '../order/unconfirmed.ts'

interface Stage {
  words: string
  isReached: boolean
  isUnconfirmed?: boolean
}

const stopped = [
  'MERCHANT_REJECTED',
  'CANCELLED',
  'REFUNDED',
  'REJECTED_PARTIAL',
  'PAYMENT_DECLINED',
  'DISPUTED',
]

/** The order's place on its road. A stopped order has left the road, so it shows none. */
export function OrderSteps({ order, timezone }: { order: OrderDetail; timezone: string }) {
  const unconfirmed = useUnconfirmed(order)
  if (stopped.includes(order.status)) return null
  const stages = stagesOf(order, { timezone, unconfirmed })
  const current = stages.findLastIndex((stage) => stage.isReached)
  return (
    <ol className={styles.steps} aria-label="Progress">
      {stages.map((stage, index) => (
        <li
          key={index}
          data-reached={stage.isReached || undefined}
          data-unconfirmed={stage.isUnconfirmed || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          {stage.words}
        </li>
      ))}
    </ol>
  )
}

interface Seen {
  timezone: string
  /** Words for an accept that the server has not confirmed. */
  unconfirmed: string | undefined
}

function stagesOf(order: OrderDetail, { timezone, unconfirmed }: Seen): Stage[] {
  const when = (at: string | null | undefined): string => (at ? ` ${shortMoment(at, timezone)}` : '')
  const reached = (status: OrderStatus): string | undefined =>
    newestFirst(order.history).find((entry) => entry.to === status && entry.from !== status)?.at
  const isShipped = ['MERCHANT_SHIPPED', 'CLOSED'].includes(order.status)
  const isAccepted = order.status !== 'SUBMITTED'
  const deadline = order.on_track_status?.deadline_at
  const local = isLocal(order.delivery.method)
  return [
    { words: `Submitted${when(order.date_submitted)}`, isReached: true },
    ...(order.printed_timestamp
      ? [{ words: `Printed${when(order.printed_timestamp)}`, isReached: true }]
      : []),
    unconfirmed !== undefined && isAccepted
      ? { words: `Accepted, ${unconfirmed}`, isReached: false, isUnconfirmed: true }
      : {
          words: isAccepted ? `Accepted${when(reached('MERCHANT_ACCEPTED'))}` : 'Accept',
          isReached: isAccepted,
        },
    {
      words: local
        ? `Out for delivery${isShipped ? when(reached('MERCHANT_SHIPPED')) : ''}`
        : isShipped
          ? `Shipped${when(reached('MERCHANT_SHIPPED'))}`
          : deadline
            ? `Ship by${when(deadline)}`
            : 'Ship',
      isReached: isShipped,
    },
    {
      words: `${deliveredWords(order, deadline ? ` by${when(deadline)}` : '')}${order.status === 'CLOSED' ? when(order.delivery_info?.delivered_on) : ''}`,
      isReached: order.status === 'CLOSED',
    },
  ]
}

/** Only the time if it is today, otherwise the date before it. */
function shortMoment(at: string, timezone: string): string {
  const isToday = formatDate(at, timezone) === formatDate(serverNow(), timezone)
  return isToday
    ? formatTime(at, timezone)
    : `${formatDate(at, timezone).slice(0, 5)} ${formatTime(at, timezone)}`
}
