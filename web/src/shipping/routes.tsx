import { createRoute } from '@tanstack/react-router'
import { settingsPage } from '#settings/public.ts'

export const carrierRoute = createRoute({
  path: '/carrier',
  ...settingsPage(() => import('./carrier-page.tsx'), 'CarrierPage'),
})
