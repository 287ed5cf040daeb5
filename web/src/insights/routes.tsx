import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { signedInRoute } from '#sign-in/public.ts'

/** No menu leads here (GAP-35). */
export const reportsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reports',
  component: lazyPage(() => import('./reports-page.tsx'), 'ReportsPage'),
})
