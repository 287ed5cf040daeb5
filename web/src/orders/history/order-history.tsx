import type { HistoryEntry } from '@cellarhand/contract/orders'
import type { Icon } from '@tabler/icons-react'
import IconBuildingStore from '@tabler/icons-react/dist/esm/icons/IconBuildingStore.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconTruck from '@tabler/icons-react/dist/esm/icons/IconTruck.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconMotorbike from '@tabler/icons-react/dist/esm/icons/IconMotorbike.mjs'
import { formatDate, formatTime, zoneName } from '#lib/time/dates.ts'
import { serverNow } from '#lib/time/server-clock.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Signature } from './signature.tsx'
import { changesOf, idCheckOf, sourceOf, statusChangeOf, titleOf } from './history-words.ts'
import styles from './order-history.module.css'
import type { OrderDetail } from '../state/queries.ts'

const parties: Record<HistoryEntry['party'], { icon: Icon; label: string }> = {
  merchant: { icon: IconUser, label: 'Somebody of the shop' },
  marketplace: { icon: IconBuildingStore, label: 'The marketplace' },
  courier: { icon: IconMotorbike, label: 'The courier' },
  carrier: { icon: IconTruck, label: 'The carrier' },
  system: { icon: IconClock, label: 'The clock' },
}

export function newestFirst(history: OrderDetail['history'] = []): readonly HistoryEntry[] {
  return history.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

interface Props {
  order: OrderDetail
  isLoading: boolean
  timezone: string
}

/** Every action with its author and time, newest first: the shop's, the marketplace's and the providers'. */
export function OrderHistory({ order, isLoading, timezone }: Props) {
  const history = newestFirst(order.history)
  return (
    <Block title="History">
      <ol className={styles.list} aria-busy={isLoading && history.length === 0}>
        {history.map((entry) => (
          <Event key={`${entry.at} ${entry.action}`} {...{ entry, order, timezone }} />
        ))}
        {history.length === 0 && isLoading && <li className={styles.empty}>Loading the history</li>}
      </ol>
    </Block>
  )
}

function Event({ entry, order, timezone }: { entry: HistoryEntry; order: OrderDetail; timezone: string }) {
  const { at, comment, party } = entry
  const date = formatDate(at, timezone)
  const isToday = date === formatDate(serverNow(), timezone)
  const { icon: Sign, label } = parties[party]
  const change = statusChangeOf(entry, order)
  const idCheck = idCheckOf(entry, order)
  return (
    <li>
      <time dateTime={at} title={`${date}, ${zoneName(at, timezone)}`}>
        {isToday ? '' : `${date} `}
        {formatTime(at, timezone)}
      </time>
      <Sign size={16} role="img" aria-label={label} className={styles.party} />
      <div>
        <b>{titleOf(entry)}</b> {sourceOf(entry, order)}
        {change && <span className={styles.change}>{change}</span>}
        {idCheck && <p>{idCheck}</p>}
        {comment && <p>{comment}</p>}
        {changesOf(entry, order).map((text) => (
          <p key={text}>{text}</p>
        ))}
        {entry.action === 'courier_proof' && <Signature orderId={order.id} />}
      </div>
    </li>
  )
}
