import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { settingsRoute } from '#settings/public.ts'

export const companyRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/company',
  component: lazyRouteComponent(() => import('./company-page.tsx'), 'CompanyPage'),
})
