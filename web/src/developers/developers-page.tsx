import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { config } from '#lib/calls/config.ts'
import { Logo } from '#ui/blocks/logo.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import styles from './developers-page.module.css'

/** A separate page without the desk's frame: its contents fill the window (DEV-002). */
export function DevelopersPage() {
  const [isThere, setThere] = useState(false)
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Link to="/" className={styles.logo} aria-label={`${config.productName}: go to the desk`}>
          <Logo />
          <span>{config.productName}</span>
        </Link>
        <h1>Developers</h1>
        <a href={`${config.apiBase}/docs/openapi.json`} className={styles.file}>
          openapi.json
        </a>
      </header>
      <main className={styles.main}>
        {!isThere && (
          <div className={styles.waiting}>
            <Spinner label="Loading the documentation" />
          </div>
        )}
        <iframe
          className={styles.frame}
          src={config.devDocsUrl}
          title="Merchant API documentation"
          onLoad={() => setThere(true)}
        />
      </main>
    </div>
  )
}
