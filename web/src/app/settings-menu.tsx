import { lazyPart } from '#lib/parts/lazy-part.ts'
import { MenuPart } from '#ui/dialogs/menu-part.tsx'
import type { SettingsMenuProps } from './settings-button.tsx'
import { SettingsButton } from './settings-button.tsx'

const SettingsDropdown = lazyPart(() => import('./settings-dropdown.tsx'), 'SettingsDropdown')

export function SettingsMenu(props: SettingsMenuProps) {
  return (
    <MenuPart
      preload={SettingsDropdown.preload}
      button={(given) => <SettingsButton isCollapsed={props.isCollapsed} {...given} />}
    >
      <SettingsDropdown {...props} />
    </MenuPart>
  )
}
