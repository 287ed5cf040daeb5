import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { settingsRoute } from '#settings/public.ts'

export const billingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/billing',
  component: lazyPage(() => import('./billing-page.tsx'), 'BillingPage'),
})
