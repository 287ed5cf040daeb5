import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { signedInRoute } from '#sign-in/public.ts'

/** One order, or a wave of up to 26: their numbers with commas between them. */
export const pickRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/pick/$ids',
  component: lazyPage(() => import('./pick-page.tsx'), 'PickPage'),
})
