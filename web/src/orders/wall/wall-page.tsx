import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import { displayGroupLabels, methodLabel } from '@cellarhand/contract/labels'
import { dueClassOf, type DueClass } from '@cellarhand/contract/on-track'
import { displayGroupOf, tabOf } from '@cellarhand/contract/order-statuses'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { lineState } from '#lib/calls/line-state.ts'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { takeKeys } from '#lib/keys/keyboard.ts'
import { backgroundPart } from '#lib/parts/lazy-part.ts'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { useServerTime } from '#lib/time/server-clock.ts'
import { merchantQuery, useTimezone } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { LiveSign } from '../live/live-sign.tsx'
import { screenKind } from '../live/screen-kind.ts'
import { liveState } from '../state/live-state.ts'
import { itemWords } from '../order/facts.ts'
import { OnTrackBadge } from '../order/on-track-badge.tsx'
import { compareRows, viewOf } from '../state/list-view.ts'
import { rowsOf } from '../state/order-cache.ts'
import { pendingOrders } from '../state/pending-orders.ts'
import type { Order } from '../state/queries.ts'
import { ordersQuery, queueQuery, standingQuery } from '../state/queries.ts'
import { useWakeLock, type WakeState } from './use-wake-lock.ts'
import styles from './wall-page.module.css'

const WallAlarms = backgroundPart(() => import('./wall-alarms.tsx'), 'WallAlarms')

/** More than any wall has room for. */
const shownAtMost = 30
/** With fewer rows left of the loaded ones, more are fetched. */
const fewRows = 20
const AGAIN_MS = 15_000

/**
 * The queue in big type for a screen on the wall: nothing to press but the alarm and the way out. It covers the page,
 * keeps the device awake, and counts as a watching screen while it draws, since it shows the alarms even if it is silent.
 */
export function WallPage() {
  const navigate = useNavigate()
  const box = useRef<HTMLElement>(null)
  const close = (): void => void navigate({ to: '/orders' })
  useOwnKeys(box, close)
  useEffect(() => {
    screenKind.set('wall')
    return () => screenKind.set('desk')
  }, [])
  const { data: merchant } = useQuery(merchantQuery(merchantKey()))
  const timezone = useTimezone()
  const now = useServerTime()
  return createPortal(
    <main ref={box} className={styles.wall} tabIndex={-1} aria-labelledby="wall-title">
      <header className={styles.top}>
        <div>
          <h1 id="wall-title">Wall screen</h1>
          <p>{merchant?.name}</p>
        </div>
        <Counts />
        <time className={styles.clock}>{formatTime(now, timezone)}</time>
      </header>
      <div className={styles.alarms}>
        <NoLine timezone={timezone} />
        <Suspense>
          <WallAlarms />
        </Suspense>
      </div>
      <WallRows timezone={timezone} />
      <footer className={styles.foot}>
        <LiveSign />
        <span>{wakeWords[useWakeLock()]}</span>
        <Button look="plain" onClick={close}>
          Leave wall screen
        </Button>
      </footer>
    </main>,
    document.body,
  )
}

/** The wall covers the band that other pages have. */
function NoLine({ timezone }: { timezone: string }) {
  const isAway = lineState.use() === 'away'
  const state = liveState.use()
  if (!isAway || state.kind !== 'reconnecting') return null
  return (
    <p className={styles.cut} role="status">
      <IconCloudOff size="1.6em" aria-hidden />
      <span>
        <b>No connection</b> since {formatDate(state.since, timezone)}, {formatTime(state.since, timezone)}.
        Newer orders come by themselves once the connection is back.
      </span>
    </p>
  )
}

const wakeWords: Record<WakeState, string> = {
  asking: 'Keeping this screen on',
  awake: 'This screen stays on',
  refused: 'This browser lets the screen sleep: turn sleep off on the device',
}

/** The page behind receives no keys. Escape leads back to the orders. */
function useOwnKeys(element: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const keys = takeKeys(element.current)
    keys.start()
    element.current?.focus({ preventScroll: true })
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && keys.isOnTop()) close()
    }
    addEventListener('keydown', listen)
    return () => {
      removeEventListener('keydown', listen)
      keys.giveBack()
    }
  }, [element])
}

function Counts() {
  const tmk = merchantKey()
  const queue = useQuery(queueQuery(tmk)).data
  const standing = useQuery(standingQuery(tmk)).data
  const counts = [
    { name: 'Late', n: queue?.late, look: 'late' },
    { name: 'Due soon', n: queue?.soon, look: 'soon' },
    { name: 'Active', n: standing?.counts.active, look: undefined },
  ]
  return (
    <dl className={styles.counts}>
      {counts.map(({ name, n, look }) => (
        <div key={name} data-look={n ? look : undefined}>
          <dd>{n === undefined ? '\u2013' : n >= 1_000 ? '999+' : n}</dd>
          <dt>{name}</dt>
        </div>
      ))}
    </dl>
  )
}

/** Without the orders that nobody in the shop can hurry any more. */
function isInShop(order: Order): boolean {
  const isActive = tabOf(order.status, order.delivery.method) === 'active'
  return isActive && displayGroupOf(order.status, order.printed_timestamp) !== 'shipped'
}

function WallRows({ timezone }: { timezone: string }) {
  const view = viewOf('active')
  const list = useInfiniteQuery({
    ...ordersQuery(merchantKey(), view),
    // Nobody is there to press.
    refetchInterval: ({ state }) => (state.status === 'error' ? AGAIN_MS : false),
  })
  const isAway = lineState.use() === 'away'
  const pending = pendingOrders.use()
  const now = useServerTime()
  const listed = list.data ? rowsOf(list.data) : []
  const known = new Set(listed.map(({ id }) => id))
  const rows = [...listed, ...pending.filter(({ id }) => !known.has(id))]
    .filter(isInShop)
    .toSorted((a, b) => compareRows(view.sort, a, b))
    .slice(0, shownAtMost)
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const isShort = rows.length < fewRows && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (isShort) void fetchNextPage()
  }, [isShort, fetchNextPage])
  if (isAway && !list.data)
    return (
      <div className={styles.note}>
        <p role="status">
          This device has kept no orders. They come by themselves once the connection is back.
        </p>
        <Button ref={keepFocusNear} look="plain" isBusy={isFetching} onClick={() => void list.refetch()}>
          Try Again
        </Button>
      </div>
    )
  if (list.isError && rows.length === 0)
    return (
      <p className={styles.note} role="alert">
        The orders could not be loaded. The next try follows by itself.
      </p>
    )
  if (!list.data) return <p className={styles.note}>Loading the orders</p>
  if (rows.length === 0 && hasNextPage)
    return (
      <p className={styles.note}>
        {isAway ? 'The next orders come once the connection is back.' : 'Loading the orders'}
      </p>
    )
  if (rows.length === 0) return <p className={styles.note}>No order waits. Nothing is late.</p>
  return (
    <ol className={styles.rows}>
      {rows.map((order) => (
        <WallRow key={order.id} order={order} timezone={timezone} due={dueOf(order, now)} />
      ))}
    </ol>
  )
}

function dueOf(order: Order, nowMs: number): DueClass | undefined {
  const deadlineAtMs = Date.parse(order.on_track_status?.deadline_at ?? '')
  const group = displayGroupOf(order.status, order.printed_timestamp)
  return dueClassOf({ deadlineAtMs, method: order.delivery.method, nowMs }, group)
}

interface RowProps {
  order: Order
  timezone: string
  due: DueClass | undefined
}

/** Customers may see the wall: of a name it shows the first and one letter. */
function WallRow({ order, timezone, due }: RowProps) {
  const { first_name: first, last_name: last } = order.recipient
  return (
    <li className={styles.row} data-due={due}>
      <span className={styles.time}>
        <OnTrackBadge order={order} timezone={timezone} />
      </span>
      <b>#{order.id}</b>
      <span className={styles.name}>
        {first} {last.slice(0, 1)}
        {last && '.'}
      </span>
      <span className={styles.more}>
        {displayGroupLabels[displayGroupOf(order.status, order.printed_timestamp)]}
      </span>
      <span className={styles.more}>{methodLabel(order.delivery.method, order.courier_estimate_id)}</span>
      <span className={styles.more}>{itemWords(order)}</span>
    </li>
  )
}
