import { createRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { TermsPage } from '#content/public.ts'
import { rootRoute } from '#lib/parts/root-route.ts'
import { OpenFrame, prepareOpen } from './open-frame.tsx'

/** Anybody may read the terms; signed-in users read them in the usual frame (GAP-34). */
export const termsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/terms',
  beforeLoad: () => prepareOpen(TermsPage),
  component: () => (
    <OpenFrame>
      <Suspense>
        <TermsPage />
      </Suspense>
    </OpenFrame>
  ),
})
