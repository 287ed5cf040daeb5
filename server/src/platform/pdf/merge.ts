import { PDFDocument } from '@cantoo/pdf-lib'

/** Centres each page on paper of another size. */
export async function placeOnPages(
  bytes: Uint8Array,
  paper: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const target = await PDFDocument.create()
  for (const page of await target.embedPdf(bytes, (await PDFDocument.load(bytes)).getPageIndices())) {
    target.addPage([paper.width, paper.height]).drawPage(page, {
      x: (paper.width - page.width) / 2,
      y: (paper.height - page.height) / 2,
    })
  }
  return Buffer.from(await target.save())
}

/** The pages of all files, one file after the other. */
export async function mergePdfs(files: readonly Uint8Array[]): Promise<Buffer> {
  const target = await PDFDocument.create()
  for (const file of files) {
    const source = await PDFDocument.load(file, { updateMetadata: false })
    for (const page of await target.copyPages(source, source.getPageIndices())) target.addPage(page)
  }
  // Packing many small objects into streams takes longer than it saves.
  return Buffer.from(await target.save({ useObjectStreams: false }))
}
