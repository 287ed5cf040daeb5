import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense } from 'react'
import { MissingPart } from '#lib/parts/lazy-part.ts'
import { handOver, HandOverPage } from '#sign-in/public.ts'
import { MissingPartNote } from '#ui/dialogs/missing-part.tsx'
import { ToastRegion } from '#ui/notes/toasts.tsx'
import { RenderErrorBoundary } from './error-page.tsx'
import type { AppRouter } from './router.tsx'
import { ShellPending } from './shell-pending.tsx'

export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  const isArriving = handOver.use() !== null
  return (
    <QueryClientProvider client={queryClient}>
      <RenderErrorBoundary>
        <MissingPart value={MissingPartNote}>
          {isArriving ? (
            <Suspense fallback={<ShellPending />}>
              <HandOverPage>
                <ShellPending />
              </HandOverPage>
            </Suspense>
          ) : (
            <RouterProvider router={router} />
          )}
        </MissingPart>
      </RenderErrorBoundary>
      <ToastRegion />
    </QueryClientProvider>
  )
}
