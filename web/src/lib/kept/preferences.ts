import { useSyncExternalStore } from 'react'
import { kept } from './browser-storage.ts'
import { createStore } from './store.ts'

export type Scheme = 'system' | 'light' | 'dark'
export type Density = 'comfortable' | 'compact'

interface Preferences {
  scheme: Scheme
  density: Density
}

const KEY = 'cellarhand-preferences'
const standard: Preferences = { scheme: 'system', density: 'comfortable' }

function load(): Preferences {
  try {
    return { ...standard, ...(JSON.parse(kept.get(KEY) ?? '{}') as Partial<Preferences>) }
  } catch {
    return standard
  }
}

export const preferences = createStore<Preferences>(load())

export function prefer(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change })
  kept.set(KEY, JSON.stringify(preferences.get()))
  applyPreferences()
}

export function applyPreferences(): void {
  const { scheme, density } = preferences.get()
  const root = document.documentElement
  if (scheme === 'system') delete root.dataset['scheme']
  else root.dataset['scheme'] = scheme
  root.dataset['density'] = density
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

function listenToSystem(listener: () => void): () => void {
  darkSystem.addEventListener('change', listener)
  return () => darkSystem.removeEventListener('change', listener)
}

export function useComputedScheme(): 'light' | 'dark' {
  const { scheme } = preferences.use()
  const system = useSyncExternalStore(listenToSystem, () => darkSystem.matches)
  if (scheme !== 'system') return scheme
  return system ? 'dark' : 'light'
}
