import { createRoute } from '@tanstack/react-router'
import { settingsPage } from '#settings/public.ts'

export const dutiesRoute = createRoute({
  path: '/duties',
  ...settingsPage(() => import('./rules-page.tsx'), 'RulesPage'),
})
