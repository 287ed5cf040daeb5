import type { SlaType } from '@cellarhand/contract/on-track'
import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { createOnTrack } from '@cellarhand/contract/on-track'
import { presaleShipsFrom } from '@cellarhand/contract/order-guards'
import { displayGroupOf } from '@cellarhand/contract/order-statuses'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { formatDate, formatTime, zoneName } from '#lib/time/dates.ts'
import { useServerTime } from '#lib/time/server-clock.ts'
import { shopToday } from '#lib/time/shop-day.ts'
import type { Hue } from '#ui/blocks/pill.tsx'
import { Pill } from '#ui/blocks/pill.tsx'
import type { Order } from '@cellarhand/contract/orders'

export const onTrack = createOnTrack()

const onTrackLooks: Record<SlaType, { hue: Hue; icon: Icon }> = {
  SLA0: { hue: 'green', icon: IconCheck },
  SLA1: { hue: 'amber', icon: IconClock },
  SLA2: { hue: 'red', icon: IconAlertTriangle },
}

interface Props {
  order: Order
  timezone: string
  /** Shows the deadline in words, such as "by 7:35 PM", unless the badge names it. */
  children?: (words: string) => ReactNode
}

const NAMED_MS = 12 * 3_600_000

/** How long is left, by the server's clock; it ticks without asking again. */
export function OnTrackBadge({ order, timezone, children }: Props) {
  const nowMs = useServerTime()
  if (!order.on_track_status) return null
  const shipsFrom = presaleShipsFrom(order.items)
  if (shipsFrom !== null && shipsFrom > shopToday()) {
    return (
      <Pill hue="sage" icon={IconCalendar} title={messages.presaleNotReady}>
        {`From ${formatDate(shipsFrom, 'UTC')}`}
      </Pill>
    )
  }
  if (displayGroupOf(order.status, order.printed_timestamp) === 'shipped') {
    return (
      <Pill hue="green" icon={IconCheck}>
        Out for delivery
      </Pill>
    )
  }
  const deadline = order.on_track_status.deadline_at
  if (deadline === undefined)
    return <Pill {...onTrackLooks[order.on_track_status.type]}>{order.on_track_status.message}</Pill>
  const deadlineAtMs = Date.parse(deadline)
  const leftMs = deadlineAtMs - nowMs
  const { type, message } = onTrack({
    deadlineAtMs,
    method: order.delivery.method,
    nowMs,
    timezone,
  })
  const [day, time] = [formatDate(deadline, timezone), formatTime(deadline, timezone)]
  const due = `Due ${day} ${time}, ${zoneName(deadline, timezone)}`
  return (
    <>
      <Pill {...onTrackLooks[type]} due={type} title={due}>
        {message}
      </Pill>
      {children && leftMs < NAMED_MS && children(`by ${leftMs < -NAMED_MS ? day : time}`)}
    </>
  )
}
