import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { MissingPart } from '#lib/lazy-part.ts'
import { MissingPartNote } from '#ui/missing-part.tsx'
import { ToastRegion } from '#ui/toasts.tsx'
import { RenderErrorBoundary } from './error-page.tsx'
import type { AppRouter } from './router.tsx'

export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <QueryClientProvider client={queryClient}>
      <RenderErrorBoundary>
        <MissingPart value={MissingPartNote}>
          <RouterProvider router={router} />
        </MissingPart>
      </RenderErrorBoundary>
      <ToastRegion />
    </QueryClientProvider>
  )
}
