import { createRoute } from '@tanstack/react-router'
import { settingsPage } from '#settings/public.ts'

export const companyRoute = createRoute({
  path: '/company',
  ...settingsPage(() => import('./company-page.tsx'), 'CompanyPage'),
})
