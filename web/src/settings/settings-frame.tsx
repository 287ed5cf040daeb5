import { Link, Outlet } from '@tanstack/react-router'
import { useCan } from '#sign-in/public.ts'
import { settingsLinks } from './links.ts'
import styles from './settings-frame.module.css'

export function SettingsFrame() {
  const can = useCan()
  return (
    <div className={styles.frame}>
      <nav className={styles.nav} aria-labelledby="settings-title">
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
