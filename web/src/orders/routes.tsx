import type { Tab } from '@cellarhand/contract/order-statuses'
import { tabs } from '@cellarhand/contract/order-statuses'
import { tabRoutes } from '@cellarhand/contract/labels'
import type { QueryClient } from '@tanstack/react-query'
import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { merchantQuery } from '#merchants/public.ts'
import { merchantKey, signedInRoute } from '#sign-in/public.ts'
import { readListSearch, viewOf } from './state/list-view.ts'
import { findListed } from './state/order-cache.ts'
import { OrderPagePending, OrdersPagePending } from './order/pending-pages.tsx'
import { orderQuery, ordersQuery } from './state/queries.ts'
import { OrdersFrame } from './list/orders-frame.tsx'
import { OrdersPage } from './list/orders-page.tsx'

/**
 * A page has its time zone from it, and whether a parcel gets a label or a number: that button must not change under a
 * clerk's hand. After some seconds the orders are shown without it.
 */
function merchantOnce(queryClient: QueryClient): Promise<unknown> {
  const known = queryClient.ensureQueryData(merchantQuery(merchantKey())).catch(() => undefined)
  return Promise.race([known, new Promise((next) => setTimeout(next, 3_000))])
}

const ordersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/orders',
  component: OrdersFrame,
})

function toActive(): never {
  throw redirect({ to: '/orders/$tab', params: { tab: 'active' } })
}

const indexRoute = createRoute({ getParentRoute: () => ordersRoute, path: '/', beforeLoad: toActive })
const otherRoute = createRoute({ getParentRoute: () => ordersRoute, path: '/$', beforeLoad: toActive })

const tabRoute = createRoute({
  getParentRoute: () => ordersRoute,
  path: '/$tab',
  validateSearch: readListSearch,
  beforeLoad: ({ params }) => ({ tab: tabOfRoute(params.tab) ?? toActive() }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient, tab }, deps, cause }) => {
    const rows = queryClient.prefetchInfiniteQuery(ordersQuery(merchantKey(), viewOf(tab, deps)))
    // Between filters and tabs the page stays, and itself shows that rows are on their way.
    if (cause !== 'stay') await Promise.all([rows, merchantOnce(queryClient)])
  },
  pendingComponent: OrdersPagePending,
  // Not lazy: the desk opens with this page, and a separate chunk would only cost one more request.
  component: OrdersPage,
})

const viewRoute = createRoute({
  getParentRoute: () => ordersRoute,
  path: '/view/$id',
  // A text that is no order number is an address that the desk does not have.
  beforeLoad: ({ params }) => void (/^\d{1,18}$/.test(params.id) || toActive()),
  loader: async ({ context: { queryClient }, params: { id } }) => {
    const merchant = merchantOnce(queryClient)
    const listed = findListed(queryClient, id)
    if (listed && !queryClient.getQueryData(orderQuery(id).queryKey)) {
      queryClient.setQueryData(orderQuery(id).queryKey, { ...listed, history: [] }, { updatedAt: 1 })
    }
    if (listed) void queryClient.prefetchQuery(orderQuery(id))
    else await queryClient.ensureQueryData(orderQuery(id))
    await merchant
  },
  pendingComponent: OrderPagePending,
  component: lazyPage(() => import('./view/order-page.tsx'), 'OrderPage'),
})

const wallRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/wall',
  component: lazyPage(() => import('./wall/wall-page.tsx'), 'WallPage'),
})

/** The tab of an address segment. */
function tabOfRoute(segment: string): Tab | undefined {
  return tabs.find((tab) => tabRoutes[tab] === segment)
}

export const orderRoutes = [
  ordersRoute.addChildren([indexRoute, tabRoute, viewRoute, otherRoute]),
  wallRoute,
] as const
