import { expect, test } from 'vitest'
import { readBars, readPdf } from '../../../test/papers/pdf-text.ts'
import { scan, scanPicture } from '../../../test/papers/read-barcode.ts'
import { PDFDocument } from '@cantoo/pdf-lib'
import { drawLabelPicture, drawLabels, drawLabelsOnLetter, type ParcelLabel } from './label.ts'
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
    // The day in the shop's zone, not in Greenwich.
    'NOV 20, 2026',
    'ADULT SIGNATURE REQUIRED',
  ])
    expect(all).toContain(text)
})

test('a scanner reads the tracking number of each label, and the label prints the same beside its bars', async () => {
  const codes = ['1Z999AA10123456784', '9612804111111111111712345678901234', 'VR-00012345']
  const bytes = await drawLabels(codes.map((trackingCode) => aLabel({ trackingCode })))
  const pages = await readBars(bytes)
  const { texts } = await readPdf(bytes)
  for (const [index, code] of codes.entries()) {
    expect(await scan(pages[index] ?? [])).toEqual([{ format: 'Code128', text: code }])
    const caption = texts.find(({ text, page }) => text === 'TRACKING #' && page === index + 1)
    const shown = texts.filter(
      ({ page, x, y }) =>
        page === index + 1 && x > (caption?.end ?? 0) && Math.abs(y - (caption?.y ?? 0)) < 3,
    )
    expect(shown.map(({ text }) => text.replaceAll(' ', ''))).toEqual([code])
  }
})

test('the bars of a label have the room on both sides that Code 128 asks for: ten times their narrowest', async () => {
  const codes = ['1Z999AA10123456784', '9612804111111111111712345678901234', 'VR-00012345']
  const frame = { left: 6, right: 282 }
  for (const bars of await readBars(
    await drawLabels(codes.map((trackingCode) => aLabel({ trackingCode }))),
  )) {
    const narrowest = Math.min(...bars.map(({ width }) => width))
    const last = bars.at(-1) ?? { x: 0, width: 0 }
    expect((bars[0]?.x ?? 0) - frame.left).toBeGreaterThanOrEqual(10 * narrowest)
    expect(frame.right - last.x - last.width).toBeGreaterThanOrEqual(10 * narrowest)
  }
})

test('each part of a label has its own place', async () => {
  const { texts } = await readPdf(await drawLabels([aLabel()]))
  const at = (text: string) => texts.find((run) => run.text === text)
  const between = (text: string, above: number, below: number) => {
    expect([text, at(text)?.y], text).toEqual([text, expect.any(Number)])
    expect(at(text)?.y).toBeGreaterThan(above)
    expect(at(text)?.y).toBeLessThan(below)
  }
  const shipTo = at('SHIP TO')?.y ?? 0
  for (const text of ['Harbor Wine & Spirits', '12 Commerce St', 'New York, NY 10004'])
    between(text, 58, shipTo - 5)
  for (const text of ['Zoë Łukasz', '118 Pearl St', 'Apt 4', 'New York, NY 10005'])
    between(text, shipTo - 8, 246)
  for (const text of ['ADULT SIGNATURE REQUIRED', '21+']) between(text, 246, 300)
  const notice = texts.filter(({ y, size }) => y > 246 && y < 300 && size === 7)
  expect(notice.map(({ text }) => text.trim()).join(' ')).toBe(
    'CONTAINS ALCOHOL: SIGNATURE OF PERSON AGE 21 YEARS OR OLDER REQUIRED FOR DELIVERY',
  )
})

test('a label says that it is a sample, and asks for a signature, only when needed', async () => {
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

test.each([
  ['one word', (length: number) => 'x'.repeat(length)],
  ['ideographs', (length: number) => '山'.repeat(length)],
  ['words', (length: number) => 'long words '.repeat(40).slice(0, length).trim()],
  ['lines', (length: number) => 'line\n'.repeat(80).slice(0, length).trim()],
])('addresses at their longest, in %s, are on the label whole, in their place', async (_kind, fill) => {
  const party = (name: string) => ({
    name: `${name} ${fill(195)}`,
    lines: [`s ${fill(195)}`, `t ${fill(400)}`, `c ${fill(100)}, NY 10005`],
    phone: '(212) 555-0123',
  })
  const { texts, pages } = await readPdf(await drawLabels([aLabel({ from: party('from'), to: party('to') })]))
  expect(pages).toBe(1)
  const bare = (text: string) => text.replaceAll(/\s/g, '')
  const all = bare(texts.map(({ text }) => text).join(''))
  for (const { name, lines } of [party('from'), party('to')])
    for (const text of [name, ...lines]) expect(all).toContain(bare(text))
  const notice = texts.find(({ text }) => text === 'ADULT SIGNATURE REQUIRED')?.y ?? 0
  const shipTo = texts.find(({ text }) => text === 'SHIP TO')?.y ?? 0
  const phones = texts.filter(({ text }) => text === '(212) 555-0123')
  expect(phones[0]?.y).toBeLessThan(shipTo)
  expect(phones[1]?.y).toBeLessThan(notice - 8)
  expect(Math.max(...texts.map(({ end }) => end))).toBeLessThanOrEqual(288 - 6)
})

test('in ZPL the longest address breaks into lines that a printer does not write over each other', () => {
  const street = `${'Upper Something Street '.repeat(8)}12`
  const zpl = drawZplLabel(
    aLabel({ to: { name: 'x'.repeat(190), lines: [street, 'Apt 4', 'New York, NY 10005'] } }),
  )
  const lines = [...zpl.matchAll(/\^FO(\d+),(\d+)\^A0N,(\d+),\d+\^FB\d+,1\^FH_\^FD(.*)\^FS/g)].map(
    ([, x, y, size, text]) => ({ x: Number(x), y: Number(y), size: Number(size), text: text ?? '' }),
  )
  const address = lines.filter(({ x, y }) => x === 30 && y >= 392 && y < 690)
  expect(
    address
      .map(({ text }) => text)
      .join('')
      .replaceAll(' ', ''),
  ).toBe(
    `${'x'.repeat(190)}${street}Apt 4New York, NY 10005(212) 555-0123`
      .replaceAll(' ', '')
      .replace('(212)555-0123', ''),
  )
  for (const [index, { y, size, text }] of address.entries()) {
    expect(text.length * 0.6 * size).toBeLessThanOrEqual(752)
    expect(y + size).toBeLessThanOrEqual(address[index + 1]?.y ?? 690)
  }
})

test('GAP-129 a label as a picture has 4 by 6 inches of 203 dots, the bars of its number, and the same texts in their places', async () => {
  for (const trackingCode of ['1Z999AA10123456784', '9612804111111111111712345678901234']) {
    const { width, height, codes } = await scanPicture(drawLabelPicture(aLabel({ trackingCode })))
    expect([width, height, codes]).toEqual([812, 1218, [{ format: 'Code128', text: trackingCode }]])
  }
  const to = { name: 'Zoë 山田 שלום', lines: ['118 Pearl St', 'Apt 4', 'New York, NY 10005'] }
  const { isBlack } = await scanPicture(drawLabelPicture(aLabel({ to })))
  const { texts } = await readPdf(await drawLabels([aLabel({ to })]))
  const dots = (points: number) => Math.round((points * 203) / 72)
  const inked = ({ x, y, end }: { x: number; y: number; end: number }) => {
    for (let column = dots(x); column < dots(end); column++)
      for (let row = dots(y) - 2; row > dots(y - 4); row--)
        if (isBlack(column, row) !== isBlack(dots(x) - 4, row)) return true
    return false
  }
  for (const text of texts) expect([text.text, inked(text)]).toEqual([text.text, true])
  const blank = { x: 140, y: 230, end: 270 }
  expect(inked(blank)).toBe(false)
})

test('for other printers the label stands in the middle of a letter page', async () => {
  const [page] = (await PDFDocument.load(await drawLabelsOnLetter([aLabel()]))).getPages()
  expect(page?.getSize()).toEqual({ width: 612, height: 792 })
})

test('a label in ZPL has the same texts, on 4 by 6 inches of 203 dots, and none of them works as a command', () => {
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
    '^FD21+ ADULT SIGNATURE REQUIRED^FS',
    '^FDCONTAINS ALCOHOL^FS',
    '^FD12.5 lb^FS',
    '^FDTRACKING # 1Z999AA10123456784^FS',
    'DO NOT SHIP',
  ])
    expect(zpl).toContain(said)
})
