import PDFDocument from 'pdfkit'

/**
 * Whether `putOnPages` shows this PNG file as it is: no alpha, no transparent colour, rows in their order. Of others its
 * library loses dots: it takes black for transparent in a grey picture with a tRNS chunk, for example.
 */
export function isPlainPicture(png: Uint8Array): boolean {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const [headEnd, interlaceAt, colourTypeAt] = [33, 28, 25]
  if (file.length < headEnd || file[interlaceAt] !== 0 || ![0, 2, 3].includes(file[colourTypeAt] ?? 4))
    return false
  for (let at = headEnd; at + 8 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const name = file.toString('latin1', at + 4, at + 8)
    if (name === 'IDAT') return true
    if (name === 'tRNS') return false
  }
  return false
}

/**
 * Each plain PNG file on a page that it fills, sizes in points. This library takes such a picture as it is stored; the
 * one that merges PDF files decodes and packs each anew, which takes half a second.
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
