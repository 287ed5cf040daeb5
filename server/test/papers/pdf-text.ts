import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  type PDFObject,
} from '@cantoo/pdf-lib'

export interface PdfText {
  readonly page: number
  readonly x: number
  /** From the upper edge. */
  readonly y: number
  readonly size: number
  /** The right end of the run. */
  readonly end: number
  readonly text: string
}

interface ReadPdf {
  readonly pages: number
  readonly sizes: readonly { readonly width: number; readonly height: number }[]
  readonly texts: PdfText[]
  readonly all: string
}

/** The text that a reader copies out of a PDF, run by run, with each run's place. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await PDFDocument.load(bytes)
  const texts = document.getPages().flatMap((page, index) => {
    const fonts = fontsOf(page.node.Resources()?.lookupMaybe(PDFName.of('Font'), PDFDict))
    return runsOf(contentOf(page.node.Contents()), fonts).map((run) => ({
      ...run,
      page: index + 1,
      y: page.getHeight() - run.y,
    }))
  })
  const sizes = document.getPages().map((page) => page.getSize())
  return { pages: document.getPageCount(), sizes, texts, all: texts.map((run) => run.text).join('\n') }
}

interface Font {
  readonly characters: ReadonlyMap<string, string>
  /** By glyph, in thousandths of the size. */
  readonly widths: readonly number[]
}

function fontsOf(fonts: PDFDict | undefined): Map<string, Font> {
  return new Map(
    (fonts?.keys() ?? []).map((name) => {
      const font = fonts?.lookup(name, PDFDict)
      const characters = toUnicode(decode(font?.lookup(PDFName.of('ToUnicode'))))
      return [name.asString(), { characters, widths: widthsOf(font) }]
    }),
  )
}

/** "/W [0 [589 621 …]]": all glyphs from the first on, as our papers write them. */
function widthsOf(font: PDFDict | undefined): number[] {
  const widths = font
    ?.lookupMaybe(PDFName.of('DescendantFonts'), PDFArray)
    ?.lookupMaybe(0, PDFDict)
    ?.lookupMaybe(PDFName.of('W'), PDFArray)
    ?.lookupMaybe(1, PDFArray)
  return (widths?.asArray() ?? []).map((width) => (width instanceof PDFNumber ? width.asNumber() : 0))
}

function decode(stream: PDFObject | undefined): string {
  return stream instanceof PDFRawStream
    ? Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
    : ''
}

function contentOf(contents: PDFObject | undefined): string {
  if (contents instanceof PDFArray)
    return contents
      .asArray()
      .map((_, index) => decode(contents.lookup(index)))
      .join('\n')
  return decode(contents)
}

function toUnicode(map: string): Map<string, string> {
  const glyphs = new Map<string, string>()
  for (const [, from = '0', list = ''] of map.matchAll(/<(\w+)> <\w+> \[(.*?)\]/gs)) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([\w\s]*)>/g)].entries())
      glyphs.set(
        (Number.parseInt(from, 16) + index).toString(16).padStart(4, '0'),
        Buffer.from(hex.replaceAll(/\s/g, ''), 'hex').swap16().toString('utf16le'),
      )
  }
  return glyphs
}

const operators = /\/(F\d+) ([\d.]+) Tf|1 0 0 1 ([-\d.]+) ([-\d.]+) Tm|\[((?:<\w*>|[-\d.\s]+)*)\] TJ/g

function runsOf(content: string, fonts: ReadonlyMap<string, Font>): Omit<PdfText, 'page'>[] {
  const runs: Omit<PdfText, 'page'>[] = []
  let font: Font = { characters: new Map(), widths: [] }
  let size = 0
  let at = { x: 0, y: 0 }
  for (const [, name, points, x, y, shown] of content.matchAll(operators)) {
    if (name !== undefined) {
      font = fonts.get(`/${name}`) ?? font
      size = Number(points)
    } else if (shown === undefined) at = { x: Number(x), y: Number(y) }
    else runs.push({ ...at, size, ...readRun(shown, font, { x: at.x, size }) })
  }
  return runs
}

/** "<00010002> 20 <0003>": glyphs, and how far the next ones move to the left. */
function readRun(shown: string, { characters, widths }: Font, { x, size }: { x: number; size: number }) {
  let text = ''
  let width = 0
  for (const [, hex, move] of shown.matchAll(/<(\w*)>|([-\d.]+)/g)) {
    if (hex === undefined) width -= Number(move)
    for (const glyph of hex?.match(/.{4}/g) ?? []) {
      text += characters.get(glyph) ?? '\ufffd'
      width += widths[Number.parseInt(glyph, 16)] ?? 0
    }
  }
  return { text, end: x + (width * size) / 1000 }
}

export interface Bar {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The bars of each page, from its upper left corner. Only bars are plain rectangles on our papers. */
export async function readBars(bytes: Uint8Array): Promise<Bar[][]> {
  const document = await PDFDocument.load(bytes)
  return document.getPages().map((page) =>
    [...contentOf(page.node.Contents()).matchAll(/^([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re$/gm)].map(
      ([, x, y, width, height]) => ({
        x: Number(x),
        y: Number(y),
        width: Number(width),
        height: Number(height),
      }),
    ),
  )
}
