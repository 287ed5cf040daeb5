import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { handOver, HandOverPage } from '#sign-in/public.ts'
import { ToastRegion } from '#ui/toasts.tsx'
import { RenderErrorBoundary } from './error-page.tsx'
import type { AppRouter } from './router.tsx'
import { ShellPending } from './shell-pending.tsx'

export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  const step = handOver.use()
  return (
    <QueryClientProvider client={queryClient}>
      <RenderErrorBoundary>
        {step === null ? (
          <RouterProvider router={router} />
        ) : (
          <HandOverPage step={step}>
            <ShellPending />
          </HandOverPage>
        )}
      </RenderErrorBoundary>
      <ToastRegion />
    </QueryClientProvider>
  )
}
