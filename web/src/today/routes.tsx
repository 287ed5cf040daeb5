import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { signedInRoute } from '#sign-in/public.ts'

const todayRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/today',
  validateSearch: ({ day }: { day?: string | undefined }): { day?: string | undefined } => ({ day }),
  component: lazyPage(() => import('./today-page.tsx'), 'TodayPage'),
})

const shiftRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/hand-over',
  component: lazyPage(() => import('./shift-page.tsx'), 'ShiftPage'),
})

export const todayRoutes = [todayRoute, shiftRoute] as const
