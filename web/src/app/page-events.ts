import { track } from '#lib/reports/analytics.ts'
import type { AppRouter } from './router.tsx'

/** Page load and page views by address pattern (TELE-001, TELE-002). */
export function startPageEvents(router: AppRouter): void {
  track('Page Load')
  let last = ''
  router.subscribe('onResolved', ({ toLocation }) => {
    const path = router.state.matches.at(-1)?.fullPath ?? 'unknown'
    // A different filter in the address is still the same page.
    if (toLocation.pathname === last) return
    last = toLocation.pathname
    track('Page View', { path })
  })
}
