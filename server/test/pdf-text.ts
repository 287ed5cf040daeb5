import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  type PDFObject,
} from '@cantoo/pdf-lib'

export interface PdfText {
  readonly page: number
  readonly x: number
  /** From the upper edge. */
  readonly y: number
  readonly size: number
  readonly text: string
}

/** What a reader's "copy" takes out of a PDF, run by run, with the place of each. */
export async function readPdf(bytes: Uint8Array): Promise<{ pages: number; texts: PdfText[]; all: string }> {
  const document = await PDFDocument.load(bytes)
  const texts = document.getPages().flatMap((page, index) => {
    const fonts = fontsOf(page.node.Resources()?.lookupMaybe(PDFName.of('Font'), PDFDict))
    return runsOf(contentOf(page.node.Contents()), fonts).map((run) => ({
      ...run,
      page: index + 1,
      y: page.getHeight() - run.y,
    }))
  })
  return { pages: document.getPageCount(), texts, all: texts.map((run) => run.text).join('\n') }
}

type ToUnicode = ReadonlyMap<string, string>

function fontsOf(fonts: PDFDict | undefined): Map<string, ToUnicode> {
  return new Map(
    (fonts?.keys() ?? []).map((name) => {
      const font = fonts?.lookup(name, PDFDict)
      return [name.asString(), toUnicode(decode(font?.lookup(PDFName.of('ToUnicode'))))]
    }),
  )
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

function toUnicode(map: string): ToUnicode {
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

function runsOf(content: string, fonts: ReadonlyMap<string, ToUnicode>): Omit<PdfText, 'page'>[] {
  const runs: Omit<PdfText, 'page'>[] = []
  let font: ToUnicode = new Map()
  let size = 0
  let at = { x: 0, y: 0 }
  for (const [, name, points, x, y, shown] of content.matchAll(operators)) {
    if (name !== undefined) {
      font = fonts.get(`/${name}`) ?? new Map()
      size = Number(points)
    } else if (shown === undefined) at = { x: Number(x), y: Number(y) }
    else
      runs.push({
        ...at,
        size,
        text: [...shown.matchAll(/<(\w+)>/g)]
          .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
          .map((glyph) => font.get(glyph) ?? '\ufffd')
          .join(''),
      })
  }
  return runs
}
