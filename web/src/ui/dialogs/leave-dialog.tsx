import { Button } from '../blocks/button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'

export function LeaveDialog({ onLeave, onClose }: { onLeave: () => void; onClose: () => void }) {
  return (
    <Dialog title="Leave without saving?" onClose={onClose}>
      <p>What you changed on this page has not been saved.</p>
      <DialogButtons>
        <Button look="plain" onClick={onLeave}>
          Leave
        </Button>
        <Button data-autofocus onClick={onClose}>
          Stay
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
