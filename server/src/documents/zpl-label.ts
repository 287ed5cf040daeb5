import type { LabelParty, ParcelLabel } from './label.ts'

/** 4 by 6 inches at the 203 dots per inch of the usual label printer. */
const width = 812
const height = 1218
const margin = 30
const inner = width - 2 * margin

/** The same label as the drawn one in ZPL II, the language that label printers speak. */
export function drawZplLabel(label: ParcelLabel): string {
  const { box, carrier, orderNumber, trackingCode, weightPounds } = label
  return [
    // UTF-8, the paper, and the origin at its corner.
    `^XA^CI28^PW${width}^LL${height}^LH0,0`,
    text(carrier, { y: 40, size: 70 }),
    text(label.service.toUpperCase(), { x: 400, y: 55, size: 40 }),
    rule(130),
    ...party(label.from, { y: 150, size: 26 }),
    text(`Order #${orderNumber}`, { x: 520, y: 150, size: 26 }),
    text(`Box ${box.number} of ${box.count}`, { x: 520, y: 182, size: 26 }),
    text(`${weightPounds} lb`, { x: 520, y: 214, size: 26 }),
    rule(340),
    text('SHIP TO', { y: 360, size: 24 }),
    ...party(label.to, { y: 392, size: 40 }),
    ...(label.needsAdultSignature
      ? [
          `^FO${margin},690^GB${inner},90,4^FS`,
          text('21+ ADULT SIGNATURE REQUIRED', { x: margin + 16, y: 704, size: 38 }),
          text('CONTAINS ALCOHOL', { x: margin + 16, y: 746, size: 26 }),
        ]
      : []),
    rule(810),
    text(`TRACKING # ${trackingCode}`, { y: 830, size: 30 }),
    `^FO${margin + 10},880^BY3^BCN,200,N,N,N^FH_^FD${dataOf(trackingCode)}^FS`,
    ...(label.isSample ? [text('SAMPLE LABEL FROM THE SANDBOX. DO NOT SHIP.', { y: 1120, size: 30 })] : []),
    '^XZ\n',
  ].join('\n')
}

function party({ name, lines, phone }: LabelParty, { y, size }: { y: number; size: number }): string[] {
  const shown = [name, ...lines, phone].filter((line) => line != null && line !== '')
  return shown.map((line, index) => text(line ?? '', { y: y + index * (size + 8), size }))
}

function text(words: string, { x = margin, y, size }: { x?: number; y: number; size: number }): string {
  return `^FO${x},${y}^A0N,${size},${size}^FB${width - margin - x},1^FH_^FD${dataOf(words)}^FS`
}

function rule(y: number): string {
  return `^FO0,${y}^GB${width},3,3^FS`
}

/** What begins a command is written by its code, so that no name can give the printer orders. */
function dataOf(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\\]+/gu, ' ')
    .replaceAll(/[_^~]/g, (sign) => `_${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
