import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import styles from './news-dialog.module.css'

interface Props {
  title: string
  text: string
  onClose: () => void
}

export function NewsDialog({ title, text, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p className={styles.text}>{text}</p>
      <DialogButtons>
        <Button data-autofocus onClick={onClose}>
          CLOSE
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
