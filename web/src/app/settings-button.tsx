import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import type { ButtonProps } from '#ui/blocks/button.tsx'
import { Button } from '#ui/blocks/button.tsx'

export interface SettingsMenuProps {
  isCollapsed: boolean
  onShowShortcuts: () => void
  onShowCommands: () => void
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
