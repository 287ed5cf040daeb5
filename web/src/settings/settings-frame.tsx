import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useCan } from '#sign-in/public.ts'
import { settingsLinks } from './links.ts'
import styles from './settings-frame.module.css'

export function SettingsFrame() {
  const can = useCan()
  const nav = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // On a narrow screen the links are one row that scrolls.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  return (
    <div className={styles.frame}>
      <nav ref={nav} className={styles.nav} aria-labelledby="settings-title">
        <p id="settings-title">Settings</p>
        {settingsLinks
          .filter(({ needs }) => needs === undefined || can(needs))
          .map(({ to, label }) => (
            <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
              {label}
            </Link>
          ))}
      </nav>
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  )
}
