import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#lib/lazy-page.ts'
import { rootRoute } from '#lib/root-route.ts'
import { storedToken } from '#lib/stored-session.ts'

export const developersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/developers',
  beforeLoad: () => {
    if (!storedToken()) throw redirect({ to: '/', replace: true })
  },
  component: lazyPage(() => import('./developers-page.tsx'), 'DevelopersPage'),
})
