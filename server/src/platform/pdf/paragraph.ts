import bidiFactory from 'bidi-js'
import { typefaceFor, type Typeface, type Weight } from './typefaces.ts'

// Its types describe the other kind of module.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Text of one typeface and one direction, in reading order. */
interface Run {
  readonly typeface: Typeface
  readonly text: string
  readonly isRightToLeft: boolean
  readonly width: number
}

export interface Line {
  /** From left to right. */
  readonly runs: readonly Run[]
  readonly width: number
}

export interface Style {
  readonly size: number
  readonly weight?: Weight
}

const plain = /^[\x20-\x7e\u00a0-\u02ff\u2010-\u2027\u20ac]*$/
/** Controls, and marks that would turn the direction of the following text or hide in it. */
const unwanted =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Variation_Selector}/gu
/** Marks that a typeface may lack without harm: the joiner, and an emoji's skin. */
const optional = /\p{Join_Control}|\p{Emoji_Modifier}/u
const spaces = /[\s\u3000]+/u
const ideographs = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u

function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\t\n\r]+/g, ' ')
    .replaceAll(unwanted, '')
    .normalize('NFC')
}

interface Piece {
  readonly typeface: Typeface
  readonly text: string
  readonly from: number
  readonly width: number
}

/** The lines of a text in a column. Its own line breaks stay; nothing is ever cut off. */
export function layOut(text: string, { size, weight = 'regular' }: Style, columnWidth = Infinity): Line[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((paragraph) => breakLines(cleanText(paragraph).trim(), { size, weight }, columnWidth))
}

export function widthOf(text: string, style: Style): number {
  return Math.max(0, ...layOut(text, style).map((line) => line.width))
}

function breakLines(text: string, style: Required<Style>, columnWidth: number): Line[] {
  if (text === '') return [{ runs: [], width: 0 }]
  const isPlain = plain.test(text)
  const levels = isPlain ? undefined : bidi.getEmbeddingLevels(text).levels
  const lines: Line[] = []
  let pieces: Piece[] = []
  let width = 0
  const end = (): void => {
    const runs = toRuns(trimEnd(pieces), levels, style)
    lines.push({ runs, width: runs.reduce((sum, run) => sum + run.width, 0) })
    pieces = []
    width = 0
  }
  for (const word of wordsOf(text, style, isPlain)) {
    const wordWidth = word.reduce((sum, piece) => sum + piece.width, 0)
    const isSpace = spaces.test(word[0]?.text ?? '')
    if (pieces.length > 0 && width + wordWidth > columnWidth && !isSpace) end()
    if (isSpace && pieces.length === 0) continue
    for (const piece of wordWidth > columnWidth ? word.flatMap((one) => splitPiece(one, style)) : word) {
      if (pieces.length > 0 && width + piece.width > columnWidth && !isSpace) end()
      pieces.push(piece)
      width += piece.width
    }
  }
  if (pieces.length > 0) end()
  return lines
}

function trimEnd(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.findLastIndex((piece) => !/^[\s\u3000]+$/u.test(piece.text))
  return pieces.slice(0, last + 1)
}

/** Lines break at spaces and around each ideograph. Each word comes in pieces of one typeface. */
function* wordsOf(text: string, style: Required<Style>, isPlain: boolean): Generator<Piece[]> {
  if (isPlain) {
    const typeface = typefaceFor([0x20], style.weight)
    for (const { 0: word, index } of text.matchAll(/ +|[^ ]+/g))
      yield [toPiece({ typeface, text: word, from: index }, style)]
    return
  }
  let word: { typeface: Typeface; text: string; from: number }[] = []
  let latest: Typeface | undefined
  let before: 'space' | 'ideograph' | 'letters' | undefined
  for (const { segment, index } of graphemes.segment(text)) {
    const kind = spaces.test(segment) ? 'space' : ideographs.test(segment) ? 'ideograph' : 'letters'
    if (word.length > 0 && (kind !== before || kind === 'ideograph') && !isClosing(segment)) {
      yield word.map((piece) => toPiece(piece, style))
      word = []
    }
    before = kind
    const last = word.at(-1)
    const typeface = faceOf(segment, kind === 'space' ? latest : last?.typeface, style.weight)
    latest = typeface
    if (last !== undefined && last.typeface === typeface) last.text += segment
    else word.push({ typeface, text: segment, from: index })
  }
  if (word.length > 0) yield word.map((piece) => toPiece(piece, style))
}

/** Punctuation that must not begin a line. */
function isClosing(segment: string): boolean {
  return /^[、。，．・：；？！）」』】〕》〉ー々.,:;?!)\]}%]/u.test(segment)
}

/** Keeps a neighbour's typeface if it has the character, so that words stay together. */
function faceOf(segment: string, neighbour: Typeface | undefined, weight: Weight): Typeface {
  const all = [...segment].map((character) => character.codePointAt(0) ?? 0)
  const needed = all.filter((codePoint) => !optional.test(String.fromCodePoint(codePoint)))
  const codePoints = needed.length === 0 ? all : needed
  return neighbour !== undefined && codePoints.every((codePoint) => neighbour.has(codePoint))
    ? neighbour
    : typefaceFor(codePoints, weight)
}

function toPiece(piece: Omit<Piece, 'width'>, { size }: Style): Piece {
  return { ...piece, width: (piece.typeface.advance(piece.text, false) * size) / 1000 }
}

/** A word wider than its column breaks between any two characters. */
function splitPiece({ typeface, text, from }: Piece, style: Style): Piece[] {
  return [...graphemes.segment(text)].map(({ segment, index }) =>
    toPiece({ typeface, text: segment, from: from + index }, style),
  )
}

/** The pieces of one line from left to right (rule L2 of the bidirectional algorithm). */
function toRuns(pieces: readonly Piece[], levels: Uint8Array | undefined, style: Style): Run[] {
  const leveled = joinPieces(pieces, levels)
  const highest = Math.max(0, ...leveled.map((run) => run.level))
  for (let level = highest; level > 0; level--) {
    for (let at = 0; at < leveled.length; at++) {
      let end = at
      while (end < leveled.length && (leveled[end]?.level ?? 0) >= level) end++
      if (end - at > 1) leveled.splice(at, end - at, ...leveled.slice(at, end).toReversed())
      at = end
    }
  }
  return leveled.map(({ typeface, text, level }) => {
    const isRightToLeft = (level & 1) === 1
    const shown = isRightToLeft ? turn(text) : text
    const width = (typeface.advance(shown, isRightToLeft) * style.size) / 1000
    return { typeface, text: shown, isRightToLeft, width }
  })
}

interface LeveledRun {
  readonly typeface: Typeface
  readonly level: number
  text: string
}

function joinPieces(pieces: readonly Piece[], levels: Uint8Array | undefined): LeveledRun[] {
  const runs: LeveledRun[] = []
  for (const { typeface, text, from } of pieces) {
    let at = from
    for (const character of text) {
      const level = levels?.[at] ?? 0
      at += character.length
      const last = runs.at(-1)
      if (last !== undefined && last.level === level && last.typeface === typeface) last.text += character
      else runs.push({ typeface, level, text: character })
    }
  }
  return runs
}

const rightToLeftScript =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The typeface turns whole runs of right-to-left scripts; we turn the signs between them ourselves. */
function turn(text: string): string {
  const mirrored = [...text].map((character) => bidi.getMirroredCharacter(character) ?? character)
  return rightToLeftScript.test(text) ? mirrored.join('') : mirrored.toReversed().join('')
}
