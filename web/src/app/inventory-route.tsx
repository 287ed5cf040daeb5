import { createRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { InventoryPage, readInventorySearch } from '#inventory/public.ts'
import { rootRoute } from '#lib/parts/root-route.ts'
import { OpenFrame, prepareOpen } from './open-frame.tsx'
import { ShellPending } from './shell-pending.tsx'

/** Unguarded (GAP-33): without a session the server refuses the page's own call, and that leads to the sign-in. */
export const inventoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inventory',
  validateSearch: readInventorySearch,
  beforeLoad: () => prepareOpen(InventoryPage),
  pendingComponent: ShellPending,
  component: () => (
    <OpenFrame>
      <Suspense>
        <InventoryPage />
      </Suspense>
    </OpenFrame>
  ),
})
