import { isPlainPicture, putOnPages } from '#platform/pdf/picture-pages.ts'
import { zplType, type LabelFile } from './label-files.ts'

const newLine = Buffer.from('\n')
const inch = 72
const page = { width: 4 * inch, height: 6 * inch }
const pngType = 'image/png'
const pdfType = 'application/pdf'

/** Puts all labels into one file for one press. A picture gets a page of 4 by 6 inches; ZPL follows ZPL. */
export async function mergeLabels(files: readonly LabelFile[]): Promise<LabelFile> {
  const [only] = files
  if (files.length === 1 && only !== undefined) return only
  if (files.every(({ mediaType }) => mediaType === zplType))
    return { mediaType: zplType, bytes: Buffer.concat(files.flatMap(({ bytes }) => [bytes, newLine])) }
  const isPlain = ({ mediaType, bytes }: LabelFile) => mediaType === pngType && isPlainPicture(bytes)
  if (files.every(isPlain)) {
    const pictures = files.map(({ bytes }) => bytes)
    return { mediaType: pdfType, bytes: await putOnPages(pictures, page) }
  }
  // Loaded when it is needed: it takes 30 MB.
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  const merged = await PDFDocument.create()
  for (const file of files) {
    const { mediaType, bytes } = file
    if (mediaType === pngType && !isPlain(file)) {
      const decoded = await merged.embedPng(bytes)
      merged.addPage([page.width, page.height]).drawImage(decoded, { x: 0, y: 0, ...page })
      continue
    }
    const source = await PDFDocument.load(mediaType === pngType ? await putOnPages([bytes], page) : bytes)
    for (const copied of await merged.copyPages(source, source.getPageIndices())) merged.addPage(copied)
  }
  return { mediaType: pdfType, bytes: Buffer.from(await merged.save()) }
}
