import { crc32, deflateSync, inflateSync } from 'node:zlib'
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

function streamOn(page: PDFPage): PDFRawStream | undefined {
  const [picture] = page.node.Resources()?.lookupMaybe(PDFName.of('XObject'), PDFDict)?.values() ?? []
  const stream = picture && page.doc.context.lookup(picture)
  return stream instanceof PDFRawStream ? stream : undefined
}

function pictureOn(page: PDFPage): Buffer | undefined {
  const stream = streamOn(page)
  return stream && Buffer.from(stream.contents)
}

const [grey, palette] = [0, 3]

/** Eight by eight black dots. */
function blackPng(head: number[], rows: number[], chunks: Record<string, number[]> = {}) {
  const all = {
    IHDR: [0, 0, 0, 8, 0, 0, 0, 8, ...head],
    ...chunks,
    IDAT: [...deflateSync(Buffer.from(rows))],
    IEND: [],
  }
  const parts = Object.entries(all).map(([name, data]) => {
    const part = Buffer.concat([Buffer.alloc(4), Buffer.from(name), Buffer.from(data), Buffer.alloc(4)])
    part.writeUInt32BE(data.length, 0)
    part.writeUInt32BE(crc32(part.subarray(4, -4)), part.length - 4)
    return part
  })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return { mediaType: 'image/png', bytes: Buffer.concat([signature, ...parts]) }
}

const zeros = (count: number) => Array.from({ length: count }, () => 0)
test.each([
  ['grey, with white as its transparent colour', blackPng([8, grey, 0, 0, 0], zeros(72), { tRNS: [0, 255] })],
  [
    'of a palette whose transparency is written down, four dots in a byte',
    blackPng([2, palette, 0, 0, 0], zeros(24), { PLTE: [0, 0, 0, 255, 255, 255], tRNS: [255, 255] }),
  ],
  ['with its rows in another order, eight dots in a byte', blackPng([1, grey, 0, 0, 1], zeros(30))],
])('a picture %s, keeps its black dots, alone and among PDF files', async (_form, picture) => {
  for (const others of [[picture], [await pdf([100, 200])]]) {
    const { bytes } = await mergeLabels([picture, ...others])
    const [page] = (await PDFDocument.load(bytes)).getPages()
    const shown = page && streamOn(page)
    expect(page?.getSize()).toEqual(label)
    expect(shown?.dict.has(PDFName.of('Mask'))).toBe(false)
    expect([...inflateSync(shown?.contents ?? Buffer.alloc(0))]).toEqual(zeros(8 * 8 * 3))
    const mask = shown?.dict.lookup(PDFName.of('SMask'))
    if (mask instanceof PDFRawStream)
      expect([...inflateSync(mask.contents)]).toEqual(Array.from({ length: 8 * 8 }, () => 255))
  }
})

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
