import { createRoute, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { TermsPage } from '#content/public.ts'
import { rootRoute } from '#lib/root-route.ts'
import { storedToken } from '#lib/stored-session.ts'
import { isMerchantMember, session, sessionKnown } from '#sign-in/public.ts'
import { Logo } from '#ui/logo.tsx'
import { Footer } from './footer.tsx'
import headerStyles from './header.module.css'
import { Shell } from './shell.tsx'
import styles from './shell.module.css'

/** Anybody may read the terms; who is signed in reads them in the usual frame (GAP-34). */
export const termsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/terms',
  beforeLoad: async () => {
    TermsPage.preload()
    // The terms are there without a server: whether the token is good changes the frame alone.
    if (storedToken() !== null) await sessionKnown().catch(() => undefined)
  },
  component: TermsFrame,
})

function TermsFrame() {
  const terms = (
    <Suspense>
      <TermsPage />
    </Suspense>
  )
  if (session.use().loggedIn && isMerchantMember()) return <Shell>{terms}</Shell>
  return (
    <div className={styles.shell}>
      <div className={headerStyles.header}>
        <Link to="/" className={headerStyles.store} aria-label="To the start page">
          <Logo />
        </Link>
      </div>
      <div className={styles.body}>{terms}</div>
      <Footer />
    </div>
  )
}
