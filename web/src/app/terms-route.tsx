import { createRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { TermsPage } from '#content/public.ts'
import { rootRoute } from '#lib/parts/root-route.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { sessionKnown } from '#sign-in/public.ts'
import { OpenFrame } from './open-frame.tsx'

/** Anybody may read the terms; signed-in users read them in the usual frame (GAP-34). */
export const termsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/terms',
  beforeLoad: async () => {
    TermsPage.preload()
    // The terms need no server: the token decides the frame alone.
    if (storedToken() !== null) await sessionKnown().catch(() => undefined)
  },
  component: () => (
    <OpenFrame>
      <Suspense>
        <TermsPage />
      </Suspense>
    </OpenFrame>
  ),
})
