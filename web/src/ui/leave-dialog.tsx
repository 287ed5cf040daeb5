import { Button } from './button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'

export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Dialog title="Leave without saving?" onClose={onStay}>
      <p>What you changed on this page has not been saved.</p>
      <DialogButtons>
        <Button look="plain" onClick={onLeave}>
          Leave
        </Button>
        <Button data-autofocus onClick={onStay}>
          Stay
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
