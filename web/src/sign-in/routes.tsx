import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { rootRoute } from '#lib/root-route.ts'
import { storedToken } from '#lib/stored-session.ts'
import { isMerchantMember, session, sessionKnown } from './session.ts'

export class NoMerchantError extends Error {}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: () => {
    if (storedToken()) throw redirect({ to: '/', replace: true })
  },
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

/** The parent of every page that needs a session; the app gives it its frame. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async () => {
    if (!storedToken()) throw redirect({ to: '/', replace: true })
    await sessionKnown()
    if (!session.get().loggedIn) throw redirect({ to: '/', replace: true })
    if (!isMerchantMember()) throw new NoMerchantError()
  },
})
