import { tabLabels, tabRoutes } from '@cellarhand/contract/labels'
import { tabOf } from '@cellarhand/contract/order-statuses'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { painted } from '#lib/parts/after-paint.ts'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { merchantKey } from '#sign-in/public.ts'
import { openWork } from '../next/next-orders.ts'
import { OrderSearches } from '../search/order-searches.tsx'
import { viewOf } from '../state/list-view.ts'
import { rowsOf } from '../state/order-cache.ts'
import type { Order } from '../state/queries.ts'
import { ordersQuery } from '../state/queries.ts'
import { openTab, shown } from '../state/shown.ts'
import styles from './order-place.module.css'

/** The sub-header of an open order: its tab, the way to the orders beside it, and both searches. */
export function OrderPlace({ order }: { order: Order }) {
  const tab = tabOf(order.status, order.delivery.method)
  useEffect(() => {
    openTab.set(tab)
    return () => openTab.set(null)
  }, [tab])
  return (
    <div className={styles.place}>
      <Link to="/orders/$tab" params={{ tab: tabRoutes[tab] }} className={styles.tab}>
        {tabLabels[tab]}
      </Link>
      <Neighbours id={order.id} />
      <OrderSearches />
    </div>
  )
}

const NEAR_END = 2
const besideLine = 'GET /m/v2/merchant/{tmk}/orders/{id}/beside'

function besideQuery(tmk: string, id: string) {
  return queryOptions({
    queryKey: [besideLine, tmk, id],
    queryFn: async ({ signal }) => {
      await painted()
      return call(besideLine, { params: { tmk, id } }, { signal })
    },
  })
}

function orderOf(id: string | null | undefined): Pick<Order, 'id'> | undefined {
  return id == null ? undefined : { id }
}

/** The orders before and after this one in the list that it was opened from; of another order, those of its tab. */
function Neighbours({ id }: { id: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [view] = useState(shown.list ?? viewOf('active'))
  const list = useInfiniteQuery({ ...ordersQuery(merchantKey(), view), enabled: false })
  const rows = list.data ? rowsOf(list.data) : []
  const [lastAt, setLastAt] = useState<number>()
  const now = rows.findIndex((order) => order.id === id)
  if (now !== -1 && now !== lastAt) setLastAt(now)
  // An order that has left the list meanwhile makes room for the next one.
  const at = now === -1 ? lastAt : now
  const isElsewhere = at === undefined
  const beside = useQuery({ ...besideQuery(merchantKey(), id), enabled: isElsewhere }).data
  const previous = at === undefined ? orderOf(beside?.previous) : rows[at - 1]
  const next = at === undefined ? orderOf(beside?.next) : rows[now === -1 ? at : at + 1]
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const isNearEnd = at !== undefined && at >= rows.length - NEAR_END
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  // The way back leads to the list, however many orders were looked at.
  const open = (order: Pick<Order, 'id'> | undefined): void => {
    if (order) void navigate({ to: '/orders/view/$id', params: { id: order.id }, replace: true })
  }
  const openNext = (): void => void openWork(queryClient, (work) => open({ id: work }), id)
  useShortcuts({ j: () => open(next), k: () => open(previous), '.': openNext })
  const neighbours = [
    { name: 'Previous order', order: previous, Sign: IconChevronUp, keys: 'k' },
    { name: 'Next order', order: next, Sign: IconChevronDown, keys: 'j' },
  ]
  return (
    <div className={styles.neighbours}>
      {neighbours.map(({ name, order, Sign, keys }) => (
        <button
          key={name}
          type="button"
          aria-label={order ? `${name}, #${order.id}` : name}
          title={`${name} (${keys})`}
          disabled={!order}
          onClick={() => open(order)}
        >
          <Sign size={18} aria-hidden />
        </button>
      ))}
    </div>
  )
}
