import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { settingsRoute } from '#settings/public.ts'

export const teamRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/users',
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
})
