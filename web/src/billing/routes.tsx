import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { settingsRoute } from '#settings/public.ts'

export const billingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/billing',
  component: lazyRouteComponent(() => import('./billing-page.tsx'), 'BillingPage'),
})
