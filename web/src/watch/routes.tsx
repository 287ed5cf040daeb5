import { createRoute } from '@tanstack/react-router'
import { settingsPage } from '#settings/public.ts'

export const alarmsRoute = createRoute({
  path: '/alarms',
  ...settingsPage(() => import('./alarms-page.tsx'), 'AlarmsPage'),
})
