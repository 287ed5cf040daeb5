import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { settingsRoute } from '#settings/public.ts'
import { userKnown } from '#sign-in/public.ts'

export const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile',
  loader: userKnown,
  component: lazyPage(() => import('./profile-page.tsx'), 'ProfilePage'),
})
