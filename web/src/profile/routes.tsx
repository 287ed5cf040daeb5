import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { settingsRoute } from '#settings/public.ts'
import { userKnown } from '#sign-in/public.ts'

export const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/profile',
  loader: userKnown,
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})
