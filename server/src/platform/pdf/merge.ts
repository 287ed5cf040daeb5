import { createHash } from 'node:crypto'
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  PDFRef,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib'

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

/** The pages of all files, one file after the other. A font that several files have is in the result once. */
export async function mergePdfs(files: readonly Uint8Array[]): Promise<Buffer> {
  const target = await PDFDocument.create()
  for (const file of files) {
    const source = await PDFDocument.load(file, { updateMetadata: false })
    for (const page of await target.copyPages(source, source.getPageIndices())) target.addPage(page)
  }
  shareFonts(target)
  // Packing many small objects into streams takes longer than it saves.
  return Buffer.from(await target.save({ useObjectStreams: false }))
}

/** Two fonts are the same when all that belongs to them is, apart from its numbers in the file. */
function shareFonts(document: PDFDocument): void {
  const { context } = document
  const digests = new Map<PDFRef, string>()
  const firsts = new Map<string, PDFRef>()
  for (const page of document.getPages()) {
    const fonts = page.node.Resources()?.lookupMaybe(PDFName.of('Font'), PDFDict)
    for (const [name, ref] of fonts?.entries() ?? []) {
      if (!(ref instanceof PDFRef)) continue
      const digest = digests.get(ref) ?? digestOf(context, ref)
      digests.set(ref, digest)
      const first = firsts.get(digest) ?? ref
      firsts.set(digest, first)
      if (first !== ref) fonts?.set(name, first)
    }
  }
  // Only afterwards: the pages of one file share its fonts.
  for (const [ref, digest] of digests) if (firsts.get(digest) !== ref) removeAll(context, ref)
}

/** Of everything that can be reached from here. A font refers to nothing that refers back to it. */
function digestOf(context: PDFContext, object: PDFObject): string {
  if (object instanceof PDFRef) {
    const referred = context.lookup(object)
    return referred === undefined ? 'nothing' : digestOf(context, referred)
  }
  const hash = createHash('sha1')
  const parts = partsOf(object)
  if (parts === undefined) return hash.update(object.toString()).digest('base64url')
  if (object instanceof PDFRawStream) hash.update(object.contents)
  for (const [name, part] of parts) hash.update(`${name} ${digestOf(context, part)}\n`)
  return hash.digest('base64url')
}

function removeAll(context: PDFContext, object: PDFObject): void {
  const referred = object instanceof PDFRef ? context.lookup(object) : object
  if (object instanceof PDFRef) context.delete(object)
  for (const [, part] of (referred && partsOf(referred)) ?? []) removeAll(context, part)
}

function partsOf(object: PDFObject): [string, PDFObject][] | undefined {
  if (object instanceof PDFArray) return object.asArray().map((part, index) => [String(index), part])
  const entries = object instanceof PDFRawStream ? object.dict.entries() : undefined
  const own = object instanceof PDFDict ? object.entries() : entries
  return own?.map(([name, part]) => [name.toString(), part])
}
