import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { settingsRoute } from '#settings/public.ts'

export const teamRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/users',
  component: lazyPage(() => import('./users-page.tsx'), 'UsersPage'),
})
