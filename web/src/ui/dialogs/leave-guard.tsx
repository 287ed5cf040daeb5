import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { DialogPart } from './dialog.tsx'

const LeaveDialog = lazyPart(() => import('./leave-dialog.tsx'), 'LeaveDialog')

/** Asks before the clerk leaves unsaved work. A page without a session lets the clerk go. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: () => isDirty && storedToken() !== null,
    enableBeforeUnload: () => isDirty && storedToken() !== null,
    withResolver: true,
  })
  // Fetches the question early: the connection may be gone when the clerk leaves.
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
