import { createRoute } from '@tanstack/react-router'
import { settingsPage } from '#settings/public.ts'

export const billingRoute = createRoute({
  path: '/billing',
  ...settingsPage(() => import('./billing-page.tsx'), 'BillingPage'),
})
