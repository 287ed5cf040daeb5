import { session } from '#sign-in/public.ts'
import { Logo } from '#ui/blocks/logo.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import headerStyles from './header.module.css'
import styles from './shell.module.css'

/** The frame without its contents, while the server checks the stored token. */
export function ShellPending() {
  const isChecking = session.use().loggedIn === null
  return (
    <div className={styles.shell}>
      <div className={headerStyles.header}>
        <span className={headerStyles.store}>
          <Logo />
        </span>
      </div>
      <div className={styles.pending}>
        <Spinner label={isChecking ? 'Signing you in' : 'Loading'} />
      </div>
      <div className={styles.footer} />
    </div>
  )
}
