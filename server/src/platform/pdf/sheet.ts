import PDFDocument from 'pdfkit'
import { code128 } from './barcode.ts'
import { layOut, type Line, type Style } from './paragraph.ts'
import type { Typeface } from './typefaces.ts'

/** Space above the letters' feet, and from line to line, by the size. */
export const ascent = 0.98
const leading = 1.32

export interface TextStyle extends Style {
  readonly color?: string
  readonly align?: 'left' | 'right' | 'center'
  /** The distance between lines, as a multiple of the size, if it is not the usual one. */
  readonly leading?: number
}

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

interface Box extends Place {
  readonly height: number
}

export interface SheetOptions {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly madeAt: Date
}

/** A page to draw on, in points from the upper left corner. */
export interface Drawing {
  readonly width: number
  readonly height: number
  /** Draws a text in a column, and answers how high it became. */
  text(text: string, place: Place, style: TextStyle): number
  rule(place: Place, look?: { thickness?: number; color?: string; dash?: number }): void
  box(box: Box, look: { fill?: string; stroke?: string; radius?: number; thickness?: number }): void
  barcode(text: string, box: Box): void
}

/** Pages of a PDF. */
export interface Sheet extends Drawing {
  /** As high as the first, unless a height is given. */
  addPage(height?: number): void
  /** Draws one line that is laid out already. */
  line(line: Line, place: Place, style: TextStyle): void
  /** Draws on every page, when all are there. */
  onEachPage(draw: (number: number, count: number) => void): void
  toBytes(): Promise<Buffer>
}

export function heightOf(text: string, width: number, style: TextStyle): number {
  return layOut(text, style, width).length * lineHeight(style)
}

export function lineHeight({ size, leading: factor = leading }: TextStyle): number {
  return size * factor
}

export function createSheet({ width, height, title, madeAt }: SheetOptions): Sheet {
  const document = new PDFDocument({
    size: [width, height],
    margin: 0,
    bufferPages: true,
    // No font until the first text asks for one.
    font: null as unknown as string,
    info: { Title: title, CreationDate: madeAt, ModDate: madeAt, Producer: 'Cellarhand' },
    lang: 'en-US',
    pdfVersion: '1.7',
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })

  return {
    width,
    height,
    addPage: (ownHeight = height) => void document.addPage({ size: [width, ownHeight], margin: 0 }),
    text(text, place, style) {
      const lines = layOut(text, style, place.width)
      document.fillColor(style.color ?? '#000000')
      for (const [index, line] of lines.entries())
        drawLine(document, line, { ...place, y: place.y + index * lineHeight(style), style })
      return lines.length * lineHeight(style)
    },
    line(line, place, style) {
      document.fillColor(style.color ?? '#000000')
      drawLine(document, line, { ...place, style })
    },
    rule({ x, y, width: length }, { thickness = 0.6, color = '#000000', dash } = {}) {
      document.lineWidth(thickness).strokeColor(color)
      if (dash !== undefined) document.dash(dash, { space: dash })
      document
        .moveTo(x, y)
        .lineTo(x + length, y)
        .stroke()
      if (dash !== undefined) document.undash()
    },
    box({ x, y, width: boxWidth, height: boxHeight }, { fill, stroke, radius = 0, thickness = 0.8 }) {
      document.roundedRect(x, y, boxWidth, boxHeight, radius).lineWidth(thickness)
      if (fill !== undefined && stroke !== undefined) document.fillAndStroke(fill, stroke)
      else if (fill !== undefined) document.fill(fill)
      else document.stroke(stroke ?? '#000000')
    },
    barcode(text, box) {
      drawBars(document, code128(text), box)
    },
    onEachPage(draw) {
      const { start, count } = document.bufferedPageRange()
      for (let page = start; page < start + count; page++) {
        document.switchToPage(page)
        draw(page - start + 1, count)
      }
    },
    toBytes() {
      document.end()
      return ended
    },
  }
}

/** Where a line begins in its column. */
export function startOf({ width }: Line, place: Place, align: TextStyle['align']): number {
  const room = place.width - width
  return place.x + (align === 'right' ? room : align === 'center' ? room / 2 : 0)
}

type Document = InstanceType<typeof PDFDocument>

/**
 * A PDF holds the glyphs that it shows, in the order of their first use. With these ahead of all others, the fonts of
 * most papers are equal, and a file of two hundred papers holds each of them once.
 */
const usualGlyphs = `${String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 0x21 + index))} ff fi fl ffi ffl ·×–—…’“”éèáíóúñüöäç`
const withUsualGlyphs = new WeakSet<object>()

interface Embedded {
  encode(text: string): unknown
}

function setFont(document: Document, { font, name }: Typeface): void {
  document.font(font as never, name)
  // The library has no public way to add glyphs without drawing them.
  const embedded = (document as unknown as { _font: Embedded })._font
  if (!name.startsWith('latin') || withUsualGlyphs.has(embedded)) return
  withUsualGlyphs.add(embedded)
  embedded.encode(usualGlyphs)
}

function drawLine(document: Document, line: Line, at: Place & { readonly style: TextStyle }): void {
  const { align, size } = at.style
  let x = startOf(line, at, align)
  for (const run of line.runs) {
    setFont(document, run.typeface)
    document.fontSize(size)
    document.text(run.text, x, at.y + size * ascent, {
      lineBreak: false,
      baseline: 'alphabetic',
      // With features, the library lays out the whole run, as right-to-left writing needs.
      ...(run.isRightToLeft ? { features: [] } : {}),
    })
    x += run.width
  }
}

function drawBars(document: Document, widths: readonly number[], box: Box): void {
  const modules = widths.reduce((sum, width) => sum + width, 0)
  const unit = box.width / modules
  let x = box.x
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) document.rect(x, box.y, width * unit, box.height)
    x += width * unit
  }
  document.fill('#000000')
}
