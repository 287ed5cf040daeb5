import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ToastRegion } from '#ui/toasts.tsx'
import { RenderErrorBoundary } from './error-page.tsx'
import type { AppRouter } from './router.tsx'

export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  return (
    <QueryClientProvider client={queryClient}>
      <RenderErrorBoundary>
        <RouterProvider router={router} />
      </RenderErrorBoundary>
      <ToastRegion />
    </QueryClientProvider>
  )
}
