import { tabLabels } from '@cellarhand/contract/labels'
import { messages } from '@cellarhand/contract/messages'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useShortcuts } from '#lib/shortcuts.ts'
import { CARDS, useMedia } from '#lib/use-media.ts'
import { whenIdle } from '#lib/when-idle.ts'
import { useTimezone } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { EmptyNote, FailedNote } from '#ui/notes.tsx'
import { toast } from '#ui/toasts.tsx'
import type { ListProps } from './list-props.ts'
import { NewOrdersBar } from './new-orders-bar.tsx'
import type { Step } from './next-step.ts'
import { rowsOf } from './order-cache.ts'
import { NextDeadline } from './next-deadline.tsx'
import { OrderCards } from './order-cards.tsx'
import { OrderSearches } from './order-searches.tsx'
import { OrdersTable } from './orders-table.tsx'
import { ListSkeleton } from './pending-pages.tsx'
import { dropListed, enterTab, newOrderIds } from './pending-orders.ts'
import type { Order } from './queries.ts'
import { ordersQuery } from './queries.ts'
import styles from './orders-page.module.css'
import { StepDialog } from './step-dialog.tsx'

const route = getRouteApi('/signed-in/orders/$tab')

export function OrdersPage() {
  const { tab } = route.useRouteContext()
  const { sort } = route.useSearch()
  const list = useInfiniteQuery(ordersQuery(merchantKey(), { tab, sort }))
  const orders = useMemo(() => (list.data ? rowsOf(list.data) : []), [list.data])
  const merchantZone = useTimezone()
  const newIds = newOrderIds.use()
  const isCards = useMedia(CARDS)
  const [open, setOpen] = useState<{ step: Step; order: Order } | null>(null)

  useEffect(() => whenIdle(() => void import('./order-page.tsx').catch(() => undefined)), [])
  useEffect(() => enterTab(tab), [tab])
  useEffect(() => dropListed(orders), [orders])
  useEffect(() => {
    if (list.isError) toast('error', messages.ordersFetchFailed)
  }, [list.isError, list.errorUpdatedAt])
  useShortcuts({
    '/': () => document.getElementById('search-number')?.focus(),
    n: () => document.getElementById('search-customer')?.focus(),
  })

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const end = isFetchNextPageError ? (
    <FailedNote text={messages.ordersFetchFailed} onRetry={() => void fetchNextPage()} />
  ) : hasNextPage ? (
    'Loading more orders'
  ) : (
    messages.endOfPage
  )
  const props: ListProps = {
    orders,
    total: list.data?.pages.at(-1)?.total_rows ?? orders.length,
    newIds,
    timezone: list.data?.pages[0]?.timezone ?? merchantZone,
    onNearEnd: () => {
      if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
    },
    onStep: (step, order) => setOpen({ step, order }),
    end,
  }

  return (
    <div className={styles.page}>
      <div className={styles.sub}>
        <h1>{tabLabels[tab]}</h1>
        {tab === 'active' && <NextDeadline timezone={props.timezone} />}
        <OrderSearches />
      </div>
      {tab === 'active' && <NewOrdersBar />}
      {list.isPending && !list.isError && <ListSkeleton />}
      {list.isError && !list.data && (
        <FailedNote text={messages.ordersFetchFailed} onRetry={() => void list.refetch()} />
      )}
      {list.data && orders.length === 0 && <EmptyNote text={messages.noOrders} />}
      {orders.length > 0 &&
        (isCards ? (
          <OrderCards key={tab} {...props} />
        ) : (
          <OrdersTable key={`${tab} ${sort}`} tab={tab} sort={sort} {...props} />
        ))}
      <StepDialog open={open} onChange={setOpen} />
    </div>
  )
}
