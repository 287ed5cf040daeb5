import { paperFormats, paperLabels, type PaperFormat } from '@cellarhand/contract/paper-formats'
import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useKeys } from '#lib/keys/keyboard.ts'
import type { AfterDecision, Density, Scheme } from '#lib/kept/preferences.ts'
import { preferences } from '#lib/kept/preferences.ts'
import { settingsLinks } from '#settings/public.ts'
import { useCan } from '#sign-in/public.ts'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import { leave } from './leave.ts'
import type { SettingsMenuProps } from './settings-button.tsx'
import { SettingsButton } from './settings-button.tsx'

export function SettingsDropdown({ isCollapsed, onShowShortcuts, onShowCommands }: SettingsMenuProps) {
  const navigate = useNavigate()
  const {
    scheme,
    density,
    afterDecision = 'order',
    paper = 'letter',
    printsOnAccept = false,
  } = preferences.use()
  const can = useCan()
  const links = settingsLinks.filter(({ needs }) => needs === undefined || can(needs))
  const [isLeaving, setLeaving] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useKeys(isOpen)
  const hasOpened = useRef(false)
  // Opens once the button has the focus, because the menu later returns the focus to the element that had it before.
  const openFirst = (): void => {
    if (!hasOpened.current) setOpen(true)
    hasOpened.current = true
  }
  // The menu itself hears the key only when the focus is inside it.
  useEffect(() => {
    if (!isOpen) return undefined
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOpen(false)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
  const signOut = (): void => {
    setLeaving(true)
    void leave()
  }
  return (
    <MantineRoot>
      <Menu
        opened={isOpen}
        onChange={setOpen}
        returnFocus
        withinPortal={false}
        withInitialFocusPlaceholder={false}
        position="bottom-end"
        width={230}
        transitionProps={{ duration: 0 }}
        shadow="md"
      >
        <Menu.Target>
          <SettingsButton isCollapsed={isCollapsed} isBusy={isLeaving} autoFocus onFocus={openFirst} />
        </Menu.Target>
        <Menu.Dropdown mah="calc(100dvh - 5rem)" style={{ overflowY: 'auto' }}>
          {isCollapsed && (
            <>
              <Menu.Item onClick={() => void navigate({ to: '/orders' })}>Orders</Menu.Item>
              <Menu.Item onClick={() => void navigate({ to: '/inventory' })}>Inventory</Menu.Item>
              <Menu.Item onClick={() => void navigate({ to: '/today' })}>Today</Menu.Item>
              <Menu.Divider />
            </>
          )}
          {links.map(({ to, label, menuLabel = label }) => (
            <Menu.Item key={to} onClick={() => void navigate({ to })}>
              {menuLabel}
            </Menu.Item>
          ))}
          {can('team.edit') && <InviteItem />}
          <Menu.Divider />
          <Menu.Label>Colours</Menu.Label>
          <Menu.RadioGroup
            value={scheme}
            onChange={(value) => preferences.change({ scheme: value as Scheme })}
          >
            <Menu.RadioItem value="system">Same as the device</Menu.RadioItem>
            <Menu.RadioItem value="light">Light</Menu.RadioItem>
            <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
          </Menu.RadioGroup>
          <Menu.Label>Rows</Menu.Label>
          <Menu.RadioGroup
            value={density}
            onChange={(value) => preferences.change({ density: value as Density })}
          >
            <Menu.RadioItem value="comfortable">Comfortable</Menu.RadioItem>
            <Menu.RadioItem value="compact">Compact</Menu.RadioItem>
          </Menu.RadioGroup>
          <Menu.Label>After a decision</Menu.Label>
          <Menu.RadioGroup
            value={afterDecision}
            onChange={(value) => preferences.change({ afterDecision: value as AfterDecision })}
          >
            <Menu.RadioItem value="order">Open the order</Menu.RadioItem>
            <Menu.RadioItem value="next">Go on to the next</Menu.RadioItem>
          </Menu.RadioGroup>
          <Menu.Label>Slips and receipts of this device</Menu.Label>
          <Menu.RadioGroup
            value={paper}
            onChange={(value) => preferences.change({ paper: value as PaperFormat })}
          >
            {paperFormats.map((each) => (
              <Menu.RadioItem key={each} value={each}>
                {paperLabels[each]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Label>When this device accepts</Menu.Label>
          <Menu.RadioGroup
            value={printsOnAccept ? 'print' : 'wait'}
            onChange={(value) => preferences.change({ printsOnAccept: value === 'print' })}
          >
            <Menu.RadioItem value="wait">Print nothing</Menu.RadioItem>
            <Menu.RadioItem value="print">Print the packing slip</Menu.RadioItem>
          </Menu.RadioGroup>
          <KeySwitch />
          <Menu.Divider />
          <Menu.Item onClick={() => void navigate({ to: '/wall' })}>Wall screen</Menu.Item>
          <Menu.Item onClick={onShowCommands}>Commands</Menu.Item>
          <Menu.Item onClick={onShowShortcuts}>Keyboard shortcuts</Menu.Item>
          <Menu.Item onClick={signOut}>Sign Out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </MantineRoot>
  )
}

/** Off, no key that types a character is a shortcut. */
function KeySwitch() {
  const { hasKeysOff = false } = preferences.use()
  return (
    <>
      <Menu.Label>Keyboard of this device</Menu.Label>
      <Menu.CheckboxItem checked={!hasKeysOff} onChange={(isOn) => preferences.change({ hasKeysOff: !isOn })}>
        Single-key shortcuts
      </Menu.CheckboxItem>
    </>
  )
}

/** Leads to the users with the invitation open. */
function InviteItem() {
  const navigate = useNavigate()
  const open = (): void => void navigate({ to: '/settings/users', hash: 'invite' })
  return <Menu.Item onClick={open}>Invite a colleague</Menu.Item>
}
