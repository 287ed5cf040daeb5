import { config } from '#lib/calls/config.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Logo } from '#ui/blocks/logo.tsx'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import styles from './account-card.module.css'
import { session } from '../session/session.ts'
import { SetUpTwoStep } from './set-up-two-step.tsx'

interface Props {
  onDone: () => void
  onSignOut: () => void
}

/** The only page for a person without the second step that the merchant requires. */
export function SecondStepNeeded({ onDone, onSignOut }: Props) {
  const { user } = session.use()
  return (
    <MantineRoot>
      <main className={styles.page}>
        <div className={styles.card} data-wide>
          <Logo size={40} />
          <h1>Set up two-step sign-in</h1>
          <p className={styles.lead}>
            Your merchant requires it of everybody who works with {config.productName}. You will need an
            authenticator app; it takes a minute.
          </p>
          {user && <SetUpTwoStep userId={user.id} onDone={onDone} />}
          <p className={styles.links}>
            <Button look="plain" onClick={onDone}>
              I have set it up already
            </Button>
            <Button look="plain" onClick={onSignOut}>
              Sign Out
            </Button>
          </p>
        </div>
      </main>
    </MantineRoot>
  )
}
