import { Suspense, useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { OpeningKeys } from '#ui/dialogs/opening-keys.tsx'
import type { SettingsMenuProps } from './settings-button.tsx'
import { SettingsButton } from './settings-button.tsx'

const SettingsDropdown = lazyPart(() => import('./settings-dropdown.tsx'), 'SettingsDropdown')

/** The button appears at once. Its menu is fetched when a hand or the focus comes near. */
export function SettingsMenu(props: SettingsMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <SettingsButton
      isCollapsed={props.isCollapsed}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={SettingsDropdown.preload}
      onFocus={SettingsDropdown.preload}
      onClick={() => setWanted(true)}
    />
  )
  if (!isWanted) return button
  return (
    <Suspense
      fallback={
        <>
          {button}
          <OpeningKeys onClose={() => setWanted(false)} />
        </>
      }
    >
      <SettingsDropdown {...props} />
    </Suspense>
  )
}
