import { zplType, type LabelFile } from './label-files.ts'

const newLine = Buffer.from('\n')
const inch = 72

/** Puts all labels into one file for one press. A picture gets a page of 4 by 6 inches; ZPL follows ZPL. */
export async function mergeLabels(files: readonly LabelFile[]): Promise<LabelFile> {
  const [only] = files
  if (files.length === 1 && only !== undefined) return only
  if (files.every(({ mediaType }) => mediaType === zplType))
    return { mediaType: zplType, bytes: Buffer.concat(files.flatMap(({ bytes }) => [bytes, newLine])) }
  // Loaded when it is needed: it takes 30 MB.
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  const merged = await PDFDocument.create()
  for (const { mediaType, bytes } of files) {
    if (mediaType === 'application/pdf') {
      const source = await PDFDocument.load(bytes)
      for (const page of await merged.copyPages(source, source.getPageIndices())) merged.addPage(page)
    } else {
      const page = merged.addPage([4 * inch, 6 * inch])
      page.drawImage(await merged.embedPng(bytes), { x: 0, y: 0, width: 4 * inch, height: 6 * inch })
    }
  }
  return { mediaType: 'application/pdf', bytes: Buffer.from(await merged.save()) }
}
