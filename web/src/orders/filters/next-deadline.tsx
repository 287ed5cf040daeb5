import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useServerTime } from '#lib/time/server-clock.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Pill } from '#ui/blocks/pill.tsx'
import styles from './next-deadline.module.css'
import { onTrack, onTrackLooks } from '../order/on-track-badge.tsx'
import { standingQuery } from '../state/queries.ts'

/** The order that is due first, on any page of the list. */
export function NextDeadline({ timezone }: { timezone: string }) {
  const nowMs = useServerTime()
  const next = useQuery({ ...standingQuery(merchantKey()), enabled: false }).data?.next_deadline
  if (!next) return null
  const { type, message } = onTrack({
    deadlineAtMs: Date.parse(next.deadline_at),
    method: next.delivery_method,
    nowMs,
    timezone,
  })
  return (
    <Link className={styles.next} to="/orders/view/$id" params={{ id: next.id }}>
      {type === 'SLA2' ? 'Most overdue' : 'Next deadline'} <Pill {...onTrackLooks[type]}>{message}</Pill> #
      {next.id}
    </Link>
  )
}
