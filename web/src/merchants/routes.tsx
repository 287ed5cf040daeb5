import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { settingsRoute } from '#settings/public.ts'

export const companyRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/company',
  component: lazyPage(() => import('./company-page.tsx'), 'CompanyPage'),
})
