import { formatDate, formatTime, zoneName } from '#lib/dates.ts'
import { serverNow } from '#lib/server-clock.ts'
import { Block } from '#ui/block.tsx'
import styles from './order-history.module.css'
import type { OrderDetail } from './queries.ts'

export function newestFirst(history: OrderDetail['history']): OrderDetail['history'] {
  return history.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

interface Props {
  history: OrderDetail['history']
  isLoading: boolean
  timezone: string
  labels: Readonly<Record<string, string>>
}

/** What happened, by whom and when, newest first. */
export function OrderHistory({ history, isLoading, timezone, labels }: Props) {
  const today = formatDate(serverNow(), timezone)
  return (
    <Block title="History">
      <ol className={styles.list} aria-busy={isLoading && history.length === 0}>
        {newestFirst(history).map(({ at, action, actor, comment }) => {
          const date = formatDate(at, timezone)
          return (
            <li key={`${at} ${action}`}>
              <time dateTime={at} title={zoneName(at, timezone)}>
                {date === today ? '' : `${date.slice(0, 5)} `}
                {formatTime(at, timezone)}
              </time>
              <div>
                <b>{labels[action] ?? action}</b> {actor && `by ${actor}`}
                {comment && <p>{comment}</p>}
              </div>
            </li>
          )
        })}
        {history.length === 0 && isLoading && <li className={styles.empty}>Loading the history</li>}
      </ol>
    </Block>
  )
}
