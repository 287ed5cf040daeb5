import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { settingsRoute } from '#settings/public.ts'

export const carrierRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/carrier',
  component: lazyRouteComponent(() => import('./carrier-page.tsx'), 'CarrierPage'),
})
