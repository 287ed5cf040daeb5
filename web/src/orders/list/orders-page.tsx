import { tabLabels } from '@cellarhand/contract/labels'
import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { lazyPart, paintedPart } from '#lib/parts/lazy-part.ts'
import { createStore, type Store } from '#lib/kept/store.ts'
import { CARDS, useMedia } from '#lib/parts/use-media.ts'
import { useAhead } from '#lib/parts/fetch-ahead.ts'
import { useHasCarrier, useTimezone } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { EmptyNote, FailedNote } from '#ui/notes/notes.tsx'
import { takeBackFailure, tellFailure } from '#ui/notes/toasts.tsx'
import { ClearAll, FilterBar } from '../filters/filter-bar.tsx'
import type { ShownTools } from '../filters/phone-tools.tsx'
import type { ListProps } from './list-props.ts'
import { isFiltered, viewOf } from '../state/list-view.ts'
import { NewOrders, preloadNewOrders } from './new-orders.tsx'
import type { Step } from '../order/next-step.ts'
import { rowsOf } from '../state/order-cache.ts'
import { OrderSearches } from '../search/order-searches.tsx'
import { OrdersTable, useFold } from './orders-table.tsx'
import { ListSkeleton } from '../order/pending-pages.tsx'
import { dropListed, enterTab, newOrderIds } from '../state/pending-orders.ts'
import type { Order } from '../state/queries.ts'
import { ordersQuery } from '../state/queries.ts'
import styles from './orders-page.module.css'
import { openSelection } from '../state/selection.ts'
import { shown as lastShown } from '../state/shown.ts'
import { StepDialog, type OpenStep } from '../decide/step-dialog.tsx'

const route = getRouteApi('/signed-in/orders/$tab')
const SelectionTray = paintedPart(() => import('../select/selection-tray.tsx'), 'SelectionTray')
const NextBar = paintedPart(() => import('../next/next-bar.tsx'), 'NextBar')
const PhoneTools = paintedPart(() => import('../filters/phone-tools.tsx'), 'PhoneTools')
const SortChoice = paintedPart(() => import('./sort-choice.tsx'), 'SortChoice')
const OrderCards = lazyPart(() => import('./order-cards.tsx'), 'OrderCards')
if (matchMedia(CARDS).matches) OrderCards.preload()

/** The parts that the next press probably needs. */
function preloadParts(): void {
  void import('../view/order-page.tsx').catch(() => undefined)
  preloadNewOrders()
}

export function OrdersPage() {
  const { tab } = route.useRouteContext()
  const view = viewOf(tab, route.useSearch())
  const queryClient = useQueryClient()
  const list = useInfiniteQuery(ordersQuery(merchantKey(), view))
  const orders = useMemo(() => (list.data ? rowsOf(list.data) : []), [list.data])
  const merchantZone = useTimezone()
  const hasCarrier = useHasCarrier()
  const newIds = newOrderIds.use()
  const isCards = useMedia(CARDS)
  const isPhone = useMedia('(max-width: 480px)')
  const [tools, setTools] = useState<ShownTools>()
  const fold = useFold()
  const [opened] = useState(() => createStore<OpenStep>(null))
  const onStep = useCallback(
    (step: Step, order: Order, from?: 'decision') => opened.set({ step, order, from }),
    [opened],
  )

  useAhead(preloadParts)
  useEffect(() => enterTab(tab), [tab])
  useEffect(() => dropListed(queryClient, orders), [queryClient, orders])
  useEffect(() => openSelection(merchantKey()), [])
  useEffect(() => void (lastShown.list = view))
  useEffect(() => {
    if (list.isError) tellFailure('list', messages.ordersFetchFailed)
    else takeBackFailure('list')
  }, [list.isError, list.errorUpdatedAt])

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const first = list.data?.pages[0]
  // While the next view is fetched, the previous rows stay, and their place in the list too.
  const shownView = JSON.stringify([first?.current_filter, first?.current_sort])
  // The page answers a press before it draws the rows: a new list follows when there is time.
  const isDueFirst = first?.current_sort?.due !== undefined
  const shown = useDeferredValue(
    useMemo(() => ({ tab, orders, shownView, isDueFirst }), [tab, orders, shownView, isDueFirst]),
  )
  const end = isFetchNextPageError ? (
    <FailedNote text={messages.ordersFetchFailed} onRetry={() => void fetchNextPage()} />
  ) : hasNextPage ? (
    'Loading more orders'
  ) : (
    messages.endOfPage
  )
  // An answer's total includes the orders waiting in the bar, so a completely loaded list counts its own rows.
  const total = hasNextPage ? (list.data?.pages.at(-1)?.total_rows ?? orders.length) : orders.length
  const props: ListProps = {
    tab: shown.tab,
    orders: shown.orders,
    shownView: shown.shownView,
    isDueFirst: shown.isDueFirst,
    total,
    newIds,
    timezone: first?.timezone ?? merchantZone,
    hasCarrier,
    onNearEnd: () => {
      const isReady = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !list.isPlaceholderData
      if (isReady) void fetchNextPage()
    },
    onStep,
    end,
    isStale: list.isPlaceholderData,
  }

  return (
    <div className={styles.page}>
      <div className={styles.sub} data-open={tools === 'search' || undefined}>
        <h1>{tabLabels[tab]}</h1>
        <OrderSearches />
      </div>
      <div className={styles.tools}>
        <FilterBar
          view={view}
          facets={list.data?.pages.at(-1)?.filters.available}
          total={list.isPlaceholderData ? undefined : total}
          isOpen={tools === 'filters'}
        >
          {(isCards || fold > 0) && <SortChoice label="Created" sort={view.sort} />}
          {isPhone && <PhoneTools shown={tools} onShow={setTools} />}
        </FilterBar>
        <SelectionTray view={view} orders={orders} total={props.total} />
      </div>
      {tab === 'active' && (
        <>
          <div className={styles.next}>
            <NextBar timezone={props.timezone} onStep={onStep} isAlone={orders.length === 0} />
          </div>
          <NewOrders view={view} />
        </>
      )}
      {list.isPending && !list.isError && <ListSkeleton />}
      {list.isError && !list.data && (
        <FailedNote text={messages.ordersFetchFailed} onRetry={() => void list.refetch()} />
      )}
      {list.data && orders.length === 0 && (
        <EmptyNote text={isFiltered(view) ? messages.noOrdersForCriteria : messages.noOrders}>
          {isFiltered(view) && <ClearAll />}
        </EmptyNote>
      )}
      {orders.length > 0 &&
        (isCards ? (
          <Suspense fallback={<ListSkeleton />}>
            <OrderCards key={shown.tab} {...props} />
          </Suspense>
        ) : (
          <OrdersTable key={shown.tab} fold={fold} sort={view.sort} {...props} />
        ))}
      <OpenedStep store={opened} />
    </div>
  )
}

/** Apart from the page: a dialog opens sooner when the list behind it is not drawn for that. */
function OpenedStep({ store }: { store: Store<OpenStep> }) {
  return <StepDialog open={store.use()} onChange={store.set} />
}
