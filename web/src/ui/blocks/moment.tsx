import { formatDate, formatTime, zoneName } from '#lib/time/dates.ts'

/** A moment as date and time in the given zone. The tooltip names the zone. */
export function Moment({
  at,
  timezone,
  separator = ' ',
}: {
  at: string
  timezone: string
  separator?: string
}) {
  return (
    <time dateTime={at} title={zoneName(at, timezone)}>
      {formatDate(at, timezone)}
      {separator}
      <span>{formatTime(at, timezone)}</span>
    </time>
  )
}
