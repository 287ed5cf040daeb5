import { useBlocker } from '@tanstack/react-router'
import { storedToken } from '#lib/stored-session.ts'
import { Button } from './button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'

/** Asks before unsaved work is left; who has no session any more is let go. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: () => isDirty && storedToken() !== null,
    enableBeforeUnload: () => isDirty && storedToken() !== null,
    withResolver: true,
  })
  if (leaving.status !== 'blocked') return null
  return (
    <Dialog title="Leave without saving?" onClose={leaving.reset}>
      <p>What you changed on this page has not been saved.</p>
      <DialogButtons>
        <Button look="plain" onClick={leaving.proceed}>
          Leave
        </Button>
        <Button data-autofocus onClick={leaving.reset}>
          Stay
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
