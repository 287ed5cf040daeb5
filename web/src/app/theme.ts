import type { MantineColorsTuple } from '@mantine/core'
import { createTheme } from '@mantine/core'

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

/** Names the accent; every value that is drawn comes from ui/tokens.css. */
export const theme = createTheme({
  primaryColor: 'wine',
  primaryShade: 7,
  colors: { wine },
  cursorType: 'pointer',
  respectReducedMotion: true,
})
