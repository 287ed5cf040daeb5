import { expect, test } from 'vitest'
import { readPdf } from '../../test/pdf-text.ts'
import { PDFDocument } from '@cantoo/pdf-lib'
import { drawLabels, drawLabelsOnLetter, type ParcelLabel } from './label.ts'
import { drawZplLabel } from './zpl-label.ts'

function aLabel(changes: Partial<ParcelLabel> = {}): ParcelLabel {
  return {
    carrier: 'UPS',
    service: 'Ground',
    trackingCode: '1Z999AA10123456784',
    from: { name: 'Harbor Wine & Spirits', lines: ['12 Commerce St', null, 'New York, NY 10004'] },
    to: {
      name: 'Zoë Łukasz',
      lines: ['118 Pearl St', 'Apt 4', 'New York, NY 10005'],
      phone: '(212) 555-0123',
    },
    box: { number: 2, count: 3 },
    weightPounds: 12.5,
    orderNumber: '1000123',
    shippedAt: new Date('2026-11-21T03:00:00Z'),
    timezone: 'America/New_York',
    needsAdultSignature: true,
    isSample: true,
    ...changes,
  }
}

test('a label is a page of 4 by 6 inches with both addresses, tracking number and box', async () => {
  const bytes = await drawLabels([aLabel(), aLabel({ box: { number: 3, count: 3 } })])
  const { pages, all } = await readPdf(bytes)
  expect(pages).toBe(2)
  const [page] = (await PDFDocument.load(bytes)).getPages()
  expect(page?.getSize()).toEqual({ width: 288, height: 432 })
  for (const text of [
    'UPS',
    'GROUND',
    '1Z99 9AA1 0123 4567 84',
    'Harbor Wine & Spirits',
    'Zoë Łukasz',
    'Apt 4',
    'Box 2 of 3',
    'Box 3 of 3',
    '12.5 lb',
    'Order #1000123',
    // The day at the shop, not in Greenwich.
    'NOV 20, 2026',
    'ADULT SIGNATURE REQUIRED',
  ])
    expect(all).toContain(text)
})

test('a label says that it is a sample and asks for a signature only where that is so', async () => {
  const { all } = await readPdf(await drawLabels([aLabel({ needsAdultSignature: false, isSample: false })]))
  expect(all).not.toContain('ADULT SIGNATURE')
  expect(all).not.toContain('SAMPLE')
})

test('the longest address stays above the notice', async () => {
  const to = {
    name: 'A name that goes on and on for one person '.repeat(2),
    lines: ['x'.repeat(80), 'Suite 200', 'Rear building', 'Longcity'.repeat(6)],
    phone: '(212) 555-0123',
  }
  const { texts } = await readPdf(await drawLabels([aLabel({ to })]))
  const phone = texts.find(({ text }) => text === '(212) 555-0123')
  expect(phone?.y).toBeLessThan(246)
})

test('for other printers the label stands in the middle of a letter page', async () => {
  const [page] = (await PDFDocument.load(await drawLabelsOnLetter([aLabel()]))).getPages()
  expect(page?.getSize()).toEqual({ width: 612, height: 792 })
})

test('a label in ZPL has the same, on 4 by 6 inches of 203 dots, and no text in it is taken for a command', () => {
  const zpl = drawZplLabel(
    aLabel({ to: { name: 'Zoë ^XZ~JR_\\&', lines: ['118 Pearl St', null], phone: null } }),
  )
  expect(zpl).toMatch(/^\^XA\^CI28\^PW812\^LL1218[^]+\^XZ\n$/)
  expect(zpl.match(/\^XZ/g)).toHaveLength(1)
  for (const said of [
    '^FDZoë _5EXZ_7EJR_5F &^FS',
    '^FD118 Pearl St^FS',
    '^FDBox 2 of 3^FS',
    '^FDOrder #1000123^FS',
    '^BCN,200,N,N,N^FH_^FD1Z999AA10123456784^FS',
    'ADULT SIGNATURE REQUIRED',
    'DO NOT SHIP',
  ])
    expect(zpl).toContain(said)
})
