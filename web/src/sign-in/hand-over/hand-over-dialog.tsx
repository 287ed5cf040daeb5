import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import type { HandOver } from './hand-over.ts'
import { nameOf } from '../session/name-of.ts'
import styles from './hand-over.module.css'

type Props = Omit<Extract<HandOver, { kind: 'asking' }>, 'kind' | 'onStay'> & {
  title: string
  onClose: () => void
}

/** Asks before a link replaces another person's session: somebody else may have made or sent the link. */
export function HandOverDialog({ title, former, next, onClose, onReplace }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.question}>
        {former === undefined ? (
          <p>The session that was open here has ended in another tab.</p>
        ) : (
          <p>
            <b>{nameOf(former)}</b> ({former.email}) is signed in here and would be signed out in every tab of
            this browser.
          </p>
        )}
        <p>
          The link that you opened signs in <b>{nameOf(next)}</b> ({next.email}).
        </p>
      </div>
      <DialogButtons>
        <Button className={styles.choice} look="plain" onClick={onReplace}>
          Sign in as {nameOf(next)}
        </Button>
        <Button className={styles.choice} data-autofocus onClick={onClose}>
          {former === undefined ? 'Do not sign in' : `Stay signed in as ${nameOf(former)}`}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
