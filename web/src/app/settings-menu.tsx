import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import { lazy, Suspense, useState } from 'react'
import type { ButtonProps } from '#ui/button.tsx'
import { Button } from '#ui/button.tsx'

const load = () => import('./settings-dropdown.tsx')
const SettingsDropdown = lazy(() => load().then((module) => ({ default: module.SettingsDropdown })))

export interface SettingsMenuProps {
  isCollapsed: boolean
  onShowShortcuts: () => void
}

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

type SettingsButtonProps = Omit<ButtonProps, 'children'> & { isCollapsed: boolean }

export function SettingsButton({ isCollapsed, ...props }: SettingsButtonProps) {
  return (
    <Button look="plain" {...props}>
      {isCollapsed && <IconMenu2 size={16} aria-hidden />}
      {isCollapsed ? 'Menu' : 'Settings'}
      {!isCollapsed && <IconChevronDown size={14} aria-hidden />}
    </Button>
  )
}
