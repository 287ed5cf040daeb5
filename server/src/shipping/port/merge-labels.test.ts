import { PDFDict, PDFDocument, PDFName, PDFRawStream, type PDFPage } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { createPicture } from '#platform/pdf/picture.ts'
import { mergeLabels } from './merge-labels.ts'

const label = { width: 288, height: 432 }

/** A black bar, at another place in each picture. */
function png(place: number) {
  const picture = createPicture(label)
  picture.box({ x: place * 20, y: 10, width: 10, height: 100 }, { fill: '#000000' })
  return { mediaType: 'image/png', bytes: picture.toPng() }
}

async function pdf(size: [number, number]) {
  const document = await PDFDocument.create()
  document.addPage(size)
  return { mediaType: 'application/pdf', bytes: await document.save() }
}

/** The packed dots of a PNG file; its chunks begin after eight bytes with their length and name. */
function dotsOf(bytes: Buffer): Buffer {
  const at = bytes.indexOf('IDAT')
  return bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4))
}

function pictureOn(page: PDFPage): Buffer | undefined {
  const [picture] = page.node.Resources()?.lookupMaybe(PDFName.of('XObject'), PDFDict)?.values() ?? []
  const stream = picture && page.doc.context.lookup(picture)
  return stream instanceof PDFRawStream ? Buffer.from(stream.contents) : undefined
}

test('each picture has its page in the file, with its dots as they came, one after the other', async () => {
  const pictures = [png(1), png(2), png(3)]
  const { mediaType, bytes } = await mergeLabels(pictures)
  const pages = (await PDFDocument.load(bytes)).getPages()
  expect([mediaType, pages.map((page) => page.getSize())]).toEqual(['application/pdf', [label, label, label]])
  expect(pages.map(pictureOn)).toEqual(pictures.map((picture) => dotsOf(picture.bytes)))
})

test('pictures among PDF files keep their places', async () => {
  const picture = png(1)
  const { bytes } = await mergeLabels([await pdf([100, 200]), picture, await pdf([300, 400])])
  const pages = (await PDFDocument.load(bytes)).getPages()
  expect(pages.map((page) => page.getSize())).toEqual([
    { width: 100, height: 200 },
    label,
    { width: 300, height: 400 },
  ])
  expect(pages.map(pictureOn)).toEqual([undefined, dotsOf(picture.bytes), undefined])
})
