import { tabs } from '@cellarhand/contract/order-statuses'
import { tabLabels, tabRoutes } from '@cellarhand/contract/labels'
import type { useNavigate } from '@tanstack/react-router'
import { preferences } from '#lib/kept/preferences.ts'
import { settingsLinks } from '#settings/public.ts'
import type { useCan } from '#sign-in/public.ts'
import type { Command } from './find-commands.ts'
import { leave } from '../leave.ts'

interface Desk {
  navigate: ReturnType<typeof useNavigate>
  can: ReturnType<typeof useCan>
  showShortcuts: () => void
}

/** The commands that work on every page. */
export function commandsOf({ navigate, can, showShortcuts }: Desk): Command[] {
  const links = settingsLinks.filter(({ needs }) => needs === undefined || can(needs))
  return [
    ...tabs.map((tab): Command => ({
      group: 'Go to',
      label: `${tabLabels[tab]} orders`,
      words: 'list tab',
      ...(tab === 'active' && { keys: 'g o' }),
      run: () => void navigate({ to: '/orders/$tab', params: { tab: tabRoutes[tab] } }),
    })),
    {
      group: 'Go to',
      label: 'Inventory',
      words: 'stock products prices',
      keys: 'g i',
      run: () => void navigate({ to: '/inventory' }),
    },
    {
      group: 'Go to',
      label: 'Today',
      words: 'day figures late clerk statistics',
      keys: 'g t',
      run: () => void navigate({ to: '/today' }),
    },
    {
      group: 'Go to',
      label: 'Wall screen',
      words: 'big type monitor kiosk kitchen display',
      run: () => void navigate({ to: '/wall' }),
    },
    {
      group: 'Go to',
      label: 'Shift hand-over',
      words: 'end of shift print late label problems',
      run: () => void navigate({ to: '/hand-over' }),
    },
    { group: 'Go to', label: 'Reports', run: () => void navigate({ to: '/reports' }) },
    {
      group: 'Go to',
      label: 'Terms of Service',
      words: 'legal conditions',
      run: () => void navigate({ to: '/terms' }),
    },
    ...links.map(({ to, label }): Command => ({
      group: 'Settings',
      label,
      words: 'settings',
      run: () => void navigate({ to }),
    })),
    ...(can('team.edit')
      ? [
          {
            group: 'Settings' as const,
            label: 'Invite a colleague',
            words: 'add user team',
            run: () => void navigate({ to: '/settings/users', hash: 'invite' }),
          },
        ]
      : []),
    look('Colours: same as the device', 'system scheme theme', { scheme: 'system' }),
    look('Colours: light', 'scheme theme bright', { scheme: 'light' }),
    look('Colours: dark', 'scheme theme night', { scheme: 'dark' }),
    look('Rows: comfortable', 'density height', { density: 'comfortable' }),
    look('Rows: compact', 'density height', { density: 'compact' }),
    look('Single keys: on', 'keyboard letters', { hasKeysOff: false }),
    look('Single keys: off', 'keyboard letters', { hasKeysOff: true }),
    { group: 'More', label: 'Keyboard shortcuts', words: 'help keys', keys: '?', run: showShortcuts },
    { group: 'More', label: 'Sign Out', words: 'log out leave', run: () => void leave() },
  ]
}

function look(label: string, words: string, change: Parameters<typeof preferences.change>[0]): Command {
  return { group: 'Look', label, words, run: () => preferences.change(change) }
}

/** The page's own buttons and links that offer themselves as commands, except disabled ones. */
export function commandsOnPage(): Command[] {
  const seen = new Set<string>()
  return [...document.querySelectorAll<HTMLElement>('[data-commands] :is(button, a[href])')].flatMap(
    (element) => {
      const label = nameOf(element)
      const isReady = element.checkVisibility() && !element.matches(':disabled, [aria-disabled="true"]')
      if (!isReady || label === '' || seen.has(label)) return []
      seen.add(label)
      return [{ group: 'This page' as const, label, run: () => element.click() }]
    },
  )
}

function nameOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove()
  return (element.getAttribute('aria-label') ?? copy.textContent).trim()
}
