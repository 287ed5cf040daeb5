import { MantineProvider } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useComputedScheme } from '#lib/preferences.ts'
import { ToastRegion } from '#ui/toasts.tsx'
import { RenderErrorBoundary } from './error-page.tsx'
import type { AppRouter } from './router.tsx'
import { theme } from './theme.ts'

export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  const scheme = useComputedScheme()
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <RenderErrorBoundary>
          <RouterProvider router={router} />
        </RenderErrorBoundary>
        <ToastRegion />
      </QueryClientProvider>
    </MantineProvider>
  )
}
