import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { create, type Font, type GlyphRun } from 'fontkit'
import { toPlainFont } from './woff.ts'

const require = createRequire(import.meta.url)
/** Words recur from document to document; more words than this are not worth the memory. */
const knownWords = 20_000

export type Weight = 'regular' | 'bold'

export interface Typeface {
  readonly name: string
  /** Replaces a font file for the PDF library: parsed once per process, with each word laid out once. */
  readonly font: Font
  has(codePoint: number): boolean
  /** The width of text in one direction, in thousandths of the size. */
  advance(text: string, isRightToLeft: boolean): number
}

const latin = require.resolve('@embedpdf/fonts-latin')
const hebrew = require.resolve('@embedpdf/fonts-hebrew')
const arabic = require.resolve('@embedpdf/fonts-arabic')
const japanese = require.resolve('@fontsource/kosugi-maru')
const emoji = require.resolve('@expo-google-fonts/noto-emoji')
const everything = require.resolve('@fontsource/unifontex')

/** The package's entry, and the font's path beside it. */
const files = {
  latin: [latin, '../fonts/NotoSans-Regular.ttf'],
  latinBold: [latin, '../fonts/NotoSans-Bold.ttf'],
  hebrew: [hebrew, '../fonts/NotoSansHebrew-Regular.ttf'],
  hebrewBold: [hebrew, '../fonts/NotoSansHebrew-Bold.ttf'],
  arabic: [arabic, '../fonts/NotoNaskhArabic-Regular.ttf'],
  arabicBold: [arabic, '../fonts/NotoNaskhArabic-Bold.ttf'],
  japanese: [japanese, 'files/kosugi-maru-japanese-400-normal.woff'],
  emoji: [emoji, '400Regular/NotoEmoji_400Regular.ttf'],
  everything: [everything, 'files/unifontex-latin-400-normal.woff'],
} as const
type FileName = keyof typeof files

/** The first typeface that has a character draws it. Decision 0017 gives their sources. */
const order: Record<Weight, readonly FileName[]> = {
  regular: ['latin', 'hebrew', 'arabic', 'japanese', 'emoji', 'everything'],
  bold: ['latinBold', 'hebrewBold', 'arabicBold', 'japanese', 'emoji', 'everything'],
}

const opened = new Map<FileName, Typeface>()

/** Opened for the first text that needs it; most documents need two. */
function open(name: FileName): Typeface {
  let typeface = opened.get(name)
  if (typeface === undefined) {
    const [entry, file] = files[name]
    typeface = toTypeface(name, create(toPlainFont(readFileSync(join(dirname(entry), file)))) as Font)
    opened.set(name, typeface)
  }
  return typeface
}

function toTypeface(name: FileName, font: Font): Typeface {
  const layout = rememberWords(font)
  const scale = 1000 / font.unitsPerEm
  const covered = new Map<number, boolean>()
  const widths = new Map<string, number>()
  const widthOfWord = (word: string): number => {
    let width = widths.get(word)
    if (width === undefined) {
      if (widths.size >= knownWords) widths.clear()
      widths.set(word, (width = layout(word).advanceWidth * scale))
    }
    return width
  }
  return {
    name,
    font: Object.create(font, { layout: { value: layout } }) as Font,
    has(codePoint) {
      let has = covered.get(codePoint)
      if (has === undefined) covered.set(codePoint, (has = font.hasGlyphForCodePoint(codePoint)))
      return has
    },
    // Word by word, as the PDF library does it; right-to-left text is laid out whole.
    advance: (text, isRightToLeft) =>
      isRightToLeft || !text.includes(' ') ? widthOfWord(text) : sum(text.split(/(?<= )/).map(widthOfWord)),
  }
}

type LaidOut = Pick<GlyphRun, 'glyphs' | 'positions' | 'advanceWidth'>

/** The PDF library scales the given positions in place, so each caller gets its own copy. */
function rememberWords(font: Font): (text: string) => LaidOut {
  const words = new Map<string, Pick<GlyphRun, 'glyphs' | 'positions'>>()
  return (text) => {
    let run = words.get(text)
    if (run === undefined) {
      if (words.size >= knownWords) words.clear()
      words.set(text, (run = withOwnCharacters(font.layout(text), text)))
    }
    const positions = run.positions.map((position) => ({ ...position }))
    return {
      glyphs: run.glyphs,
      positions,
      get advanceWidth() {
        return sum(positions.map((position) => position.xAdvance))
      },
    }
  }
}

/**
 * The font library keeps one glyph per shape, with the characters of its first use. A glyph first met inside another
 * shape has no characters, and text copied out of the page would then lose them.
 */
function withOwnCharacters(run: GlyphRun, text: string): Pick<GlyphRun, 'glyphs' | 'positions'> {
  const characters = [...text].map((character) => character.codePointAt(0) ?? 0)
  if (run.glyphs.length !== characters.length) return run
  const inOrder = run.direction === 'rtl' ? characters.toReversed() : characters
  const glyphs = run.glyphs.map(
    (glyph, index) => Object.create(glyph, { codePoints: { value: [inOrder[index]] } }) as typeof glyph,
  )
  return { glyphs, positions: run.positions }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** The typeface that draws all of these characters, or else the one that draws the first. */
export function typefaceFor(codePoints: readonly number[], weight: Weight): Typeface {
  for (const name of order[weight]) {
    const typeface = open(name)
    if (codePoints.every((codePoint) => typeface.has(codePoint))) return typeface
  }
  const [first] = codePoints
  return codePoints.length > 1 && first !== undefined
    ? typefaceFor([first], weight)
    : open(order[weight][0] ?? 'latin')
}
