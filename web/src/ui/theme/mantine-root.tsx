import type { MantineColorsTuple } from '@mantine/core'
import { createTheme, MantineProvider } from '@mantine/core'
import { useSyncExternalStore, type ReactNode } from 'react'
import { preferences } from '#lib/kept/preferences.ts'

const wine: MantineColorsTuple = [
  '#fbf1f4',
  '#f3dce3',
  '#e5b6c5',
  '#d78ca4',
  '#c66482',
  '#ad4364',
  '#93304f',
  '#7b1e3a',
  '#65162f',
  '#4b0e21',
]

/** Names the accent; every drawn value comes from tokens.css. */
const theme = createTheme({
  primaryColor: 'wine',
  primaryShade: 7,
  colors: { wine },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

function listenToSystem(listener: () => void): () => void {
  darkSystem.addEventListener('change', listener)
  return () => darkSystem.removeEventListener('change', listener)
}

function useComputedScheme(): 'light' | 'dark' {
  const { scheme } = preferences.use()
  const system = useSyncExternalStore(listenToSystem, () => darkSystem.matches)
  if (scheme !== 'system') return scheme
  return system ? 'dark' : 'light'
}

/** Wraps the parts that use Mantine rather than the whole app, so the order list shows before Mantine is fetched. */
export function MantineRoot({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={useComputedScheme()}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}
