import { notifyManager, QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { billingRoute } from '#billing/public.ts'
import { CallError, whenSetUpRequired, whenUnauthorized } from '#lib/calls/call.ts'
import { dutiesRoute } from '#duties/public.ts'
import { developersRoute } from '#developers/public.ts'
import { reportsRoute } from '#insights/public.ts'
import { rootRoute } from '#lib/parts/root-route.ts'
import { storedToken, whenStoredElsewhere } from '#lib/kept/stored-session.ts'
import { companyRoute, merchantQuery } from '#merchants/public.ts'
import { orderRoutes } from '#orders/public.ts'
import { pickRoute } from '#picks/public.ts'
import { profileRoute } from '#profile/public.ts'
import { settingsIndexRoute, settingsRoute } from '#settings/public.ts'
import { carrierRoute } from '#shipping/public.ts'
import {
  endSession,
  handOver,
  merchantKey,
  noteAccountState,
  session,
  setLacksSecondStep,
  signedInRoute,
  signInRoutes,
} from '#sign-in/public.ts'
import { teamRoute } from '#team/public.ts'
import { todayRoutes } from '#today/public.ts'
import { alarmsRoute } from '#watch/public.ts'
import { RouteError } from './error-page.tsx'
import { inventoryRoute } from './inventory-route.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { Shell } from './shell.tsx'
import { ShellPending } from './shell-pending.tsx'
import { startOver } from './start-over.ts'
import { termsRoute } from './terms-route.tsx'

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: storedToken() ? '/orders' : '/login' })
  },
})

const unknownRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '$',
  // The frame around the page shows the store's name from the start.
  loader: ({ context }) => context.queryClient.prefetchQuery(merchantQuery(merchantKey())),
  component: NotFoundPage,
})

signedInRoute.update({
  component: () => <Shell />,
  pendingComponent: ShellPending,
  pendingMs: 0,
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  ...signInRoutes,
  termsRoute,
  inventoryRoute,
  developersRoute,
  signedInRoute.addChildren([
    ...orderRoutes,
    pickRoute,
    reportsRoute,
    ...todayRoutes,
    settingsRoute.addChildren([
      settingsIndexRoute,
      profileRoute,
      companyRoute,
      alarmsRoute,
      teamRoute,
      billingRoute,
      carrierRoute,
      dutiesRoute,
    ]),
    unknownRoute,
  ]),
])

function buildRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 100,
    defaultPendingMinMs: 0,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  })
}

export type AppRouter = ReturnType<typeof buildRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}

export function createApp(): { queryClient: QueryClient; router: AppRouter } {
  // In the press itself, and not after the next one: a button shows as busy before a double click's second half arrives.
  notifyManager.setScheduler(queueMicrotask)
  const queryClient = new QueryClient({
    defaultOptions: {
      // Sends calls even when the browser thinks it is offline: a failed call tells the clerk, a paused one does not.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 1 && !(error instanceof CallError && error.status < 500),
        retryDelay: 400,
      },
    },
  })
  const router = buildRouter(queryClient)
  whenUnauthorized(() => {
    const leftBy = session.get().user?.id
    endSession()
    queryClient.clear()
    const left = router.state.location.href
    // Several answers may refuse the same session, and only the first still knows whose it was.
    if (leftBy) noteAccountState({ left: { page: left, by: leftBy } })
    if (left !== '/login') void router.navigate({ to: '/login', replace: true })
  })
  whenStoredElsewhere(() => {
    const { loggedIn } = session.get()
    if (loggedIn && storedToken() === null) return void startOver()
    const isSigningIn = handOver.get() === null && router.state.location.pathname === '/login'
    if (isSigningIn && storedToken() !== null) void router.invalidate()
  })
  whenSetUpRequired(() => {
    if (session.get().lacksSecondStep) return
    setLacksSecondStep(true)
    void router.invalidate()
  })
  return { queryClient, router }
}
