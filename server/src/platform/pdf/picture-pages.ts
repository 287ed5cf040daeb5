import PDFDocument from 'pdfkit'

/**
 * Each PNG file on a page that it fills, sizes in points. This library takes a picture without transparency as it is
 * stored; the one that merges PDF files decodes and packs each anew, which takes half a second.
 */
export async function putOnPages(
  pictures: readonly Uint8Array[],
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false })
  const parts: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.once('end', resolve)
    document.once('error', reject)
  })
  for (const picture of pictures) {
    document.addPage({ size: [width, height], margin: 0 })
    document.image(Buffer.from(picture), 0, 0, { width, height })
  }
  document.end()
  await ended
  return Buffer.concat(parts)
}
