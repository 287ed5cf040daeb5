import { createPicture } from '#platform/pdf/picture.ts'
import { createSheet, heightOf, type Drawing, type TextStyle } from '#platform/pdf/sheet.ts'
import { numberPiece } from './flow.ts'
import { oneLine } from './one-line.ts'

const inch = 72
const margin = 12
const paper = { width: 4 * inch, height: 6 * inch }

export interface LabelParty {
  readonly name: string
  /** Streets, then city, state and ZIP; empty lines are left out. */
  readonly lines: readonly (string | null)[]
  readonly phone?: string | null
}

/** The texts of one parcel's label. */
export interface ParcelLabel {
  readonly carrier: string
  readonly service: string
  readonly trackingCode: string
  readonly from: LabelParty
  readonly to: LabelParty
  readonly box: { readonly number: number; readonly count: number }
  readonly weightPounds: number
  /** Printed small, so that a loose label can be matched to its order. */
  readonly orderNumber: string
  readonly shippedAt: Date
  readonly timezone: string
  readonly needsAdultSignature: boolean
  /** Not bought from a carrier, so nobody may post it. */
  readonly isSample: boolean
}

/** Labels of 4 by 6 inches, one page each, in black alone: thermal printers know no grey. */
export async function drawLabels(labels: readonly ParcelLabel[]): Promise<Buffer> {
  const [first] = labels
  if (first === undefined) throw new Error('There is no label to draw.')
  const sheet = createSheet({
    ...paper,
    title: `Shipping label #${first.orderNumber}`,
    madeAt: first.shippedAt,
  })
  for (const [index, label] of labels.entries()) {
    if (index > 0) sheet.addPage()
    drawLabel(sheet, label)
  }
  return sheet.toBytes()
}

/** The same label as a picture. It has the label's own size on any paper, as carriers' pictures do. */
export function drawLabelPicture(label: ParcelLabel): Buffer {
  const picture = createPicture(paper)
  drawLabel(picture, label)
  return picture.toPng()
}

/** The same label in the middle of a letter page, for printers that know no other paper. */
export async function drawLabelsOnLetter(labels: readonly ParcelLabel[]): Promise<Buffer> {
  const { placeOnPages } = await import('#platform/pdf/merge.ts')
  return placeOnPages(await drawLabels(labels), { width: 8.5 * inch, height: 11 * inch })
}

function drawLabel(sheet: Drawing, label: ParcelLabel): void {
  const x = margin
  const width = sheet.width - 2 * margin
  sheet.box(
    { x: margin / 2, y: margin / 2, width: sheet.width - margin, height: sheet.height - margin },
    { thickness: 1.2 },
  )
  drawHead(sheet, label)
  sheet.rule({ x: margin / 2, y: 58, width: sheet.width - margin }, { thickness: 1.2 })

  const from = { width: width * 0.62, room: 58, sizes: [7.5, 6.5, 5.5, ...smallest] }
  let y = 63 + drawParty(sheet, label.from, { x, y: 63, width: from.width, style: fitted(label.from, from) })
  sheet.text(
    [
      shortDate(label),
      `${weights.format(label.weightPounds)} lb`,
      `Box ${label.box.number} of ${label.box.count}`,
      `Order #${label.orderNumber}`,
    ].join('\n'),
    { x: x + width * 0.62, y: 63, width: width * 0.38 },
    { size: 7.5, leading: 1.2, align: 'right' },
  )
  y = Math.max(y, 63 + 4 * 7.5 * 1.2) + 6
  sheet.rule({ x: margin / 2, y, width: sheet.width - margin }, { thickness: 1.2 })

  sheet.text('SHIP TO', { x, y: y + 5, width: 40 }, { size: 7, weight: 'bold' })
  const to = { width: width - 38, room: 242 - y - 4, sizes: [13, 12, 11, 10, 9, 8, 7, 6, 5, ...smallest] }
  drawParty(sheet, label.to, { x: x + 38, y: y + 4, width: to.width, style: fitted(label.to, to) })

  if (label.needsAdultSignature) drawAdultSignature(sheet, { x, y: 246, width, height: 46 })
  sheet.rule({ x: margin / 2, y: 300, width: sheet.width - margin }, { thickness: 1.2 })
  sheet.text('TRACKING #', { x, y: 305, width }, { size: 7.5, weight: 'bold' })
  const code = numberPiece(spaced(label.trackingCode), width - 52, { size: 9 })
  sheet.text(code.text, { x: x + 52, y: 304, width: width - 52 }, code.style)
  sheet.barcode(label.trackingCode, { x: x + 14, y: 322, width: width - 28, height: 74 })
  if (label.isSample)
    sheet.text(
      'SAMPLE LABEL FROM THE SANDBOX. DO NOT SHIP.',
      { x, y: 403, width },
      { size: 8, weight: 'bold', align: 'center' },
    )
}

function drawHead(sheet: Drawing, label: ParcelLabel): void {
  const width = sheet.width - 2 * margin
  sheet.box({ x: margin / 2, y: margin / 2, width: 92, height: 52 }, { fill: '#000000' })
  sheet.text(
    label.carrier,
    { x: margin / 2, y: 17, width: 92 },
    { size: 22, weight: 'bold', color: '#ffffff', align: 'center' },
  )
  sheet.text(
    label.service.toUpperCase(),
    { x: margin + 96, y: 16, width: width - 96 },
    { size: 12, weight: 'bold' },
  )
}

function drawParty(
  sheet: Drawing,
  party: LabelParty,
  at: { x: number; y: number; width: number; style: TextStyle },
): number {
  const name = sheet.text(oneLine(party.name), at, { ...at.style, weight: 'bold' })
  return name + sheet.text(restOf(party), { ...at, y: at.y + name }, at.style)
}

const smallest = [4.5, 4, 3.5, 3, 2.5]

/** The largest size in which the address fits. Small letters are better than a lost street. */
function fitted(
  party: LabelParty,
  { width, room, sizes }: { width: number; room: number; sizes: readonly number[] },
): TextStyle {
  const styles = sizes.map((size) => ({ size, leading: 1.2 }))
  const heightIn = (style: TextStyle) =>
    heightOf(oneLine(party.name), width, { ...style, weight: 'bold' }) + heightOf(restOf(party), width, style)
  return styles.find((style) => heightIn(style) <= room) ?? { size: 2, leading: 1.2 }
}

function restOf(party: LabelParty): string {
  return [...party.lines, party.phone].flatMap((line) => oneLine(line ?? '') || []).join('\n')
}

function drawAdultSignature(
  sheet: Drawing,
  box: { x: number; y: number; width: number; height: number },
): void {
  sheet.box(box, { thickness: 2 })
  sheet.box({ ...box, width: 46 }, { fill: '#000000' })
  sheet.text(
    '21+',
    { x: box.x, y: box.y + 11, width: 46 },
    { size: 18, weight: 'bold', color: '#ffffff', align: 'center' },
  )
  const column = { x: box.x + 52, width: box.width - 56 }
  sheet.text('ADULT SIGNATURE REQUIRED', { ...column, y: box.y + 5 }, { size: 11, weight: 'bold' })
  sheet.text(
    'CONTAINS ALCOHOL: SIGNATURE OF PERSON AGE 21 YEARS OR OLDER REQUIRED FOR DELIVERY',
    { ...column, y: box.y + 20 },
    { size: 7, leading: 1.2 },
  )
}

function spaced(code: string): string {
  return code.replaceAll(/\s+/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')
}

const weights = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const dates = new Map<string, Intl.DateTimeFormat>()

function shortDate({ shippedAt, timezone }: ParcelLabel): string {
  let format = dates.get(timezone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      day: '2-digit',
      month: 'short',
      year: 'numeric',
      timeZone: timezone,
    })
    dates.set(timezone, format)
  }
  return format.format(shippedAt).toUpperCase()
}
