import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { signedInRoute } from '#sign-in/public.ts'

/** The parent of every slice's settings pages. */
export const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings-frame.tsx'), 'SettingsFrame'),
})

export const settingsIndexRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true })
  },
})
