import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { rootRoute } from '#lib/parts/root-route.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { signInPage } from './session/page-load.ts'
import { isMerchantMember, session, sessionKnown } from './session/session.ts'

export class NoMerchantError extends Error {}

export class SecondStepNeededError extends Error {}

async function onlySignedOut(): Promise<void> {
  await signInPage.free?.()
  if (storedToken()) throw redirect({ to: '/' })
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: onlySignedOut,
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signup',
  beforeLoad: onlySignedOut,
  component: lazyPage(() => import('./sign-up-page.tsx'), 'SignUpPage'),
})

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot',
  beforeLoad: onlySignedOut,
  component: lazyPage(() => import('./forgot-page.tsx'), 'ForgotPage'),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot/password-reset/$token',
  component: lazyPage(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join/$token',
  component: lazyPage(() => import('./join-page.tsx'), 'JoinPage'),
})

export const signInRoutes = [signInRoute, signUpRoute, forgotRoute, resetPasswordRoute, joinRoute] as const

/** The parent of every page that needs a session; the app gives it its frame. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async () => {
    if (!storedToken()) throw redirect({ to: '/' })
    await sessionKnown()
    if (!session.get().loggedIn) throw redirect({ to: '/' })
    if (!isMerchantMember()) throw new NoMerchantError()
    if (session.get().lacksSecondStep) throw new SecondStepNeededError()
  },
})
