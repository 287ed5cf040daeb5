import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { settingsRoute } from '#settings/public.ts'

export const carrierRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/carrier',
  component: lazyPage(() => import('./carrier-page.tsx'), 'CarrierPage'),
})
