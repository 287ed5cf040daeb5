import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import type { TextStyle } from '#platform/pdf/sheet.ts'

const inch = 72
const mm = inch / 25.4

/** A dot of a thermal printer with 203 to the inch: 8 to the millimetre. */
export const dot = mm / 8

export const ink = { black: '#000000', soft: '#4a4643', line: '#bdb7b0', tint: '#f3f1ee' }

interface Styles {
  readonly small: TextStyle
  readonly body: TextStyle
  readonly fact: TextStyle
  readonly bold: TextStyle
  readonly caption: TextStyle
}

/** The size of a paper, and the letters on it. */
export interface Format {
  readonly name: PaperFormat
  readonly width: number
  /** Undefined for a roll: each page ends with its contents. */
  readonly height: number | undefined
  readonly margin: number
  readonly contentWidth: number
  /** Where the first page begins, where a further one goes on, and where each ends. */
  readonly first: number
  readonly top: number
  readonly bottom: number
  /** Of the footer's rule. */
  readonly footerTop: number
  /** One column: parts that a letter page has side by side come one below the other. */
  readonly isNarrow: boolean
  readonly styles: Styles
}

const letterStyles: Styles = {
  small: { size: 7.5, color: ink.soft },
  body: { size: 9.5 },
  fact: { size: 9 },
  bold: { size: 9.5, weight: 'bold' },
  caption: { size: 7, weight: 'bold', color: ink.soft },
}

/** In black alone, because thermal printers know no grey, and never below 9 points. */
const narrowStyles: Styles = {
  small: { size: 9 },
  body: { size: 10 },
  fact: { size: 10 },
  bold: { size: 10.5, weight: 'bold' },
  caption: { size: 9, weight: 'bold' },
}

const widths = (width: number, margin: number) => ({ width, margin, contentWidth: width - 2 * margin })

export const formats: Record<PaperFormat, Format> = {
  /** US Letter, with a margin that desk printers cannot reach. */
  letter: {
    name: 'letter',
    ...widths(612, 40),
    height: 792,
    first: 38,
    top: 56,
    bottom: 740,
    footerTop: 750,
    isNarrow: false,
    styles: letterStyles,
  },
  roll80: {
    name: 'roll80',
    ...widths(80 * mm, 4 * mm),
    height: undefined,
    first: 4 * mm,
    top: 4 * mm + 16,
    // The drivers of receipt printers take pages of up to two metres.
    bottom: 1990 * mm,
    footerTop: 1990 * mm,
    isNarrow: true,
    styles: narrowStyles,
  },
  label4x6: {
    name: 'label4x6',
    ...widths(4 * inch, 34 * dot),
    height: 6 * inch,
    first: 12,
    top: 30,
    bottom: 402,
    footerTop: 404,
    isNarrow: true,
    styles: narrowStyles,
  },
}
