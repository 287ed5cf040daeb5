import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useServerTime } from '#lib/time/server-clock.ts'
import { onTrack } from '../order/on-track-badge.tsx'
import { lateOf, type Orders } from './late-end.ts'

interface Props {
  orders: Orders
  lateEnd: number
  isLate: boolean
}

/** The words above the late orders, or above those that are in time. */
export function GroupHead({ orders, lateEnd, isLate }: Props) {
  const nowMs = useServerTime()
  if (!isLate)
    return (
      <>
        <IconCheck size={15} />
        <b>In time</b>
      </>
    )
  const late = lateOf(orders, lateEnd)
  const deadlineAtMs = Date.parse(late[0]?.on_track_status?.deadline_at ?? '')
  const { message } = onTrack({ deadlineAtMs, method: '', nowMs, timezone: 'UTC' })
  return (
    <>
      <IconAlertTriangle size={15} />
      <b>
        Late
        {lateEnd < orders.length && ` ${late.length}`}
      </b>
      the oldest by {message.replace(' late', '')}
    </>
  )
}
