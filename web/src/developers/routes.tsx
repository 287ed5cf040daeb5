import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { rootRoute } from '#lib/parts/root-route.ts'
import { storedToken } from '#lib/kept/stored-session.ts'

export const developersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/developers',
  beforeLoad: () => {
    if (!storedToken()) throw redirect({ to: '/' })
  },
  component: lazyPage(() => import('./developers-page.tsx'), 'DevelopersPage'),
})
