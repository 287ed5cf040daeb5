import { lazy, Suspense, useState } from 'react'
import type { SettingsMenuProps } from './settings-button.tsx'
import { SettingsButton } from './settings-button.tsx'

const load = () => import('./settings-dropdown.tsx')
const SettingsDropdown = lazy(() => load().then((module) => ({ default: module.SettingsDropdown })))

/** The button is there at once; what it opens is fetched when a hand or the focus comes near. */
export function SettingsMenu(props: SettingsMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <SettingsButton
      isCollapsed={props.isCollapsed}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    />
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <SettingsDropdown {...props} />
    </Suspense>
  )
}
