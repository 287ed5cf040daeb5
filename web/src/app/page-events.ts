import { hashed, track } from '#lib/reports/analytics.ts'
import { reportAs } from '#lib/reports/error-reports.ts'
import { session } from '#sign-in/public.ts'
import type { AppRouter } from './router.tsx'

/** Page load, page views by address pattern, and inventory views with the hashed user (TELE-001 to -003). */
export function startPageEvents(router: AppRouter): void {
  track('Page Load')
  let last = ''
  router.subscribe('onResolved', ({ toLocation }) => {
    const path = router.state.matches.at(-1)?.fullPath ?? 'unknown'
    // A different filter in the address is still the same page.
    if (toLocation.pathname === last) return
    last = toLocation.pathname
    track('Page View', { path })
    void noteUser(path)
  })
}

async function noteUser(path: string): Promise<void> {
  const id = session.get().user?.id
  const user_id = id === undefined ? undefined : await hashed(id)
  reportAs(user_id)
  if (path === '/inventory') track('Inventory Page View', user_id === undefined ? {} : { user_id })
}
