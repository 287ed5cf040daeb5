import type { Alarm, AlarmKind } from '@cellarhand/contract/live'
import IconBellRinging from '@tabler/icons-react/dist/esm/icons/IconBellRinging.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef, type RefObject } from 'react'
import { merchantKey } from '#sign-in/public.ts'
import { notice } from '../state/alarms.ts'
import { viewOf, type ListSearch } from '../state/list-view.ts'
import { rowsOf } from '../state/order-cache.ts'
import { mergePending, pendingOrders } from '../state/pending-orders.ts'
import { ordersQuery } from '../state/queries.ts'
import styles from './alarm-bell.module.css'
import { alarms, alarmWords } from './unnoticed-alarms.ts'

/** The list in which the orders of a kind are on top: of a list by due time, new orders may be far down. */
const lists = {
  late: { due: 'late' },
  new: { sort: 'desc' },
  asked: { needs_a_look: '1' },
  soon: {},
} as const satisfies Partial<Record<AlarmKind, ListSearch>>

type Listed = keyof typeof lists

const kinds = ['asked', 'late', 'new', 'soon'] as const satisfies readonly Listed[]
/** The header has no room for more beside a cancellation, a narrow one for none. They follow once these are noticed. */
const besideCancelled = 2

/** The alarms that nobody has noticed yet, in the header. A press silences only what the clerk has before the eyes. */
export function Unnoticed() {
  const row = useRef<HTMLDivElement>(null)
  useSteadyPage(row)
  const { counts, items } = alarms.use()
  const firstOf = (kind: AlarmKind): Alarm | undefined => items.find((alarm) => alarm.kind === kind)
  const cancelled = firstOf('cancelled')
  const single = kinds.flatMap((kind) => (counts[kind] === 1 ? (firstOf(kind) ?? []) : []))
  const many = kinds.find((kind) => counts[kind] > 1)
  const ringing = kinds.filter((kind) => counts[kind] > 0)
  const shown = cancelled ? ringing.slice(0, besideCancelled) : ringing
  const isUrgent = counts.cancelled + counts.late > 0
  return (
    <div ref={row} className={styles.unnoticed} data-urgent={isUrgent || undefined}>
      <IconBellRinging size={18} aria-hidden />
      {cancelled && (
        <Link to="/orders/view/$id" params={{ id: cancelled.order_id }}>
          #{cancelled.order_id} cancelled
        </Link>
      )}
      {counts.cancelled > 1 && (
        <Link to="/orders/$tab" params={{ tab: 'cancelled' }}>
          {counts.cancelled - 1} more
        </Link>
      )}
      {shown.map((kind) => {
        const only = counts[kind] === 1 ? firstOf(kind) : undefined
        return only ? (
          <Link key={kind} to="/orders/view/$id" params={{ id: only.order_id }}>
            {alarmWords[kind].one(only.order_id)}
          </Link>
        ) : (
          <Link key={kind} to="/orders/$tab" params={{ tab: 'active' }} search={lists[kind]}>
            {counts[kind]} {alarmWords[kind].many}
          </Link>
        )
      })}
      <Press named={cancelled ?? single[0]} many={many ?? 'new'} />
    </div>
  )
}

/** Follows the header's height: on a phone, the alarms have a row of their own, and many need a second line. */
function useSteadyPage(alarmRow: RefObject<HTMLElement | null>): void {
  const known = useRef<{ without: number; now: number }>(undefined)
  useLayoutEffect(() => {
    const header = alarmRow.current?.closest('header')
    if (!alarmRow.current || !header) return
    known.current ??= heightWithout(alarmRow.current, header)
    scrollOnBy(header.offsetHeight - known.current.now)
    known.current.now = header.offsetHeight
  })
  useLayoutEffect(
    () => () => {
      if (known.current) scrollOnBy(known.current.without - known.current.now)
      known.current = undefined
    },
    [],
  )
}

/** Once only: below its top, the page would scroll along each time. */
function heightWithout(alarmRow: HTMLElement, header: HTMLElement): { without: number; now: number } {
  alarmRow.style.display = 'none'
  const without = header.offsetHeight
  alarmRow.style.display = ''
  return { without, now: without }
}

/** Keeps the page in place under a clerk's finger. Below its top, most browsers do that themselves. */
function scrollOnBy(height: number): void {
  const doesBrowser = CSS.supports('overflow-anchor', 'auto') && scrollY > 0
  if (height !== 0 && !doesBrowser) scrollBy({ top: height, behavior: 'instant' })
}

/** Silences the one alarm that is named here; if there is none, it shows the orders of a kind. */
function Press({ named, many }: { named: Alarm | undefined; many: Listed }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  /** In front of the list, its orders count as seen. An order that the list does not hold yet is opened. */
  const show = async (): Promise<void> => {
    const list = ordersQuery(merchantKey(), viewOf('active', lists[many]))
    await navigate({ to: '/orders/$tab', params: { tab: 'active' }, search: lists[many] })
    const rows = rowsOf(await queryClient.ensureInfiniteQueryData(list))
    const waiting = many === 'new' ? pendingOrders.get() : []
    const shown = new Set([...waiting, ...rows].map(({ id }) => id))
    const seen = alarms.get().items.filter(({ order_id }) => shown.has(order_id))
    if (many === 'new') mergePending(queryClient)
    notice(seen)
    const next = alarms.get().items.find(({ kind }) => kind === many)
    if (seen.length === 0 && next) await navigate({ to: '/orders/view/$id', params: { id: next.order_id } })
  }
  return named ? (
    <button type="button" onClick={() => notice([named])}>
      Got it
    </button>
  ) : (
    // If the list cannot be fetched, its page says so, and the alarm stays.
    <button type="button" onClick={() => void show().catch(() => undefined)}>
      See them
    </button>
  )
}
