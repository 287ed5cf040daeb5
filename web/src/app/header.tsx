import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMedia } from '#lib/parts/use-media.ts'
import { merchantQuery } from '#merchants/public.ts'
import { AlarmBell, LiveSign } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Logo } from '#ui/blocks/logo.tsx'
import type { SettingsMenuProps } from './settings-button.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import styles from './header.module.css'

export function Header(props: Omit<SettingsMenuProps, 'isCollapsed'>) {
  const { data: merchant } = useQuery(merchantQuery(merchantKey()))
  const isCollapsed = useMedia('(max-width: 1100px)')
  return (
    <header className={styles.header}>
      {/* On a slow connection the link works before its name arrives. */}
      <Link
        to="/orders"
        className={styles.store}
        title={merchant?.name}
        aria-label={merchant ? undefined : 'Your shop'}
      >
        <Logo />
        <span className={styles.name}>{merchant?.name ?? '\u00a0'}</span>
      </Link>
      {!isCollapsed && (
        <nav className={styles.nav} aria-label="Main">
          <Link to="/orders" activeProps={{ 'aria-current': 'page' }}>
            Orders
          </Link>
          <Link to="/inventory" activeProps={{ 'aria-current': 'page' }}>
            Inventory
          </Link>
          <Link to="/today" activeProps={{ 'aria-current': 'page' }}>
            Today
          </Link>
        </nav>
      )}
      {/* Its words come and go, and the bell comes once the page is painted: only the sign moves by that. */}
      <LiveSign />
      <AlarmBell />
      <button type="button" className={styles.hint} onClick={props.onShowCommands}>
        Commands <kbd>Ctrl K</kbd>
      </button>
      <SettingsMenu isCollapsed={isCollapsed} {...props} />
    </header>
  )
}
