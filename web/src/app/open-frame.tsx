import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { storedToken } from '#lib/kept/stored-session.ts'
import { isMerchantMember, session, sessionKnown } from '#sign-in/public.ts'
import { Logo } from '#ui/blocks/logo.tsx'
import { Footer } from './footer.tsx'
import headerStyles from './header.module.css'
import { Shell } from './shell.tsx'
import styles from './shell.module.css'

/** A page that anybody may open needs no server: the token alone decides its frame. */
export async function prepareOpen(page: { preload: () => void }): Promise<void> {
  page.preload()
  if (storedToken() !== null) await sessionKnown().catch(() => undefined)
}

/** The usual frame for signed-in users, a bare one for everybody else. */
export function OpenFrame({ children }: { children: ReactNode }) {
  if (session.use().loggedIn && isMerchantMember()) return <Shell>{children}</Shell>
  return (
    <div className={styles.shell}>
      <div className={headerStyles.header}>
        <Link to="/" className={headerStyles.store} aria-label="To the start page">
          <Logo />
        </Link>
      </div>
      <div className={styles.body}>{children}</div>
      <Footer />
    </div>
  )
}
