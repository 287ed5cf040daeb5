import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import { createStoredSettings } from './stored-settings.ts'

export type Scheme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'

export type AfterDecision = 'order' | 'next'

interface Preferences {
  scheme: Scheme
  density: Density
  /** The decided order opens, unless the clerk chooses the next decision. */
  afterDecision?: AfterDecision
  /** The paper in this device's printer; letter, unless the clerk chooses another. */
  paper?: PaperFormat
  /** The slip of an accepted order prints by itself. */
  printsOnAccept?: boolean
  /** No key that types a character is a shortcut. */
  hasKeysOff?: boolean
}

export const preferences = createStoredSettings<Preferences>('cellarhand-preferences', {
  scheme: 'system',
  density: 'comfortable',
})

function applyPreferences(): void {
  const { scheme, density, hasKeysOff = false } = preferences.get()
  const root = document.documentElement
  if (scheme === 'system') delete root.dataset['scheme']
  else root.dataset['scheme'] = scheme
  root.dataset['density'] = density
  root.toggleAttribute('data-keys-off', hasKeysOff)
}

/** Applies them now and after each change, also one in another tab. */
export function followPreferences(): void {
  applyPreferences()
  preferences.listen(applyPreferences)
}
