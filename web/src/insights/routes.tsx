import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '#sign-in/public.ts'

/** No menu leads here (GAP-35). */
export const reportsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reports',
  component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
})
