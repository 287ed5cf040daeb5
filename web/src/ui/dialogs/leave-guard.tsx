import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { DialogPart } from './dialog.tsx'

const LeaveDialog = lazyPart(async () => (await import('./leave-dialog.tsx')).LeaveDialog)

/** Asks before unsaved work is left; who has no session any more is let go. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: () => isDirty && storedToken() !== null,
    enableBeforeUnload: () => isDirty && storedToken() !== null,
    withResolver: true,
  })
  // Fetched while there is a line: it is wanted at the moment when there may be none.
  useEffect(() => {
    if (isDirty) LeaveDialog.preload()
  }, [isDirty])
  if (leaving.status !== 'blocked') return null
  return (
    <DialogPart title="Leave without saving?" onClose={leaving.reset}>
      <LeaveDialog onLeave={leaving.proceed} onClose={leaving.reset} />
    </DialogPart>
  )
}
