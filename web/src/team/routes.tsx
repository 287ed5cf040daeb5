import { createRoute } from '@tanstack/react-router'
import { settingsPage } from '#settings/public.ts'

export const teamRoute = createRoute({
  path: '/users',
  ...settingsPage(() => import('./users-page.tsx'), 'UsersPage'),
})
