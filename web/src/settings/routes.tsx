import type { QueryClient } from '@tanstack/react-query'
import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#lib/parts/lazy-page.ts'
import { loadInTime } from '#lib/parts/lazy-part.ts'
import { signedInRoute } from '#sign-in/public.ts'
import { WaitingWords } from '#ui/blocks/waiting-words.tsx'

/** The parent of every slice's settings pages. */
export const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings-frame.tsx'), 'SettingsFrame'),
})

interface PageModule {
  /** Asks for all that the page shows at once. A failed answer is the page's own to tell. */
  load: (queryClient: QueryClient) => Promise<unknown>
}

/** The options of a settings page in a chunk of its own. Each visit asks anew before it renders: a form starts from stored values. */
export function settingsPage<M extends PageModule, Name extends keyof M>(
  fetchPage: () => Promise<M>,
  name: Name,
) {
  return {
    getParentRoute: () => settingsRoute,
    loader: {
      handler: ({ context }: { context: { queryClient: QueryClient } }) =>
        // Without the chunk, the component fails, and tells it.
        loadInTime(fetchPage).then(
          ({ load }) => load(context.queryClient),
          () => undefined,
        ),
      staleReloadMode: 'blocking' as const,
    },
    pendingComponent: () => <WaitingWords>Loading the page</WaitingWords>,
    component: lazyPage(fetchPage, name),
  }
}

export const settingsIndexRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile' })
  },
})
