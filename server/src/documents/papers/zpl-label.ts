import { oneLine } from './one-line.ts'
import type { LabelParty, ParcelLabel } from './label.ts'

/** 4 by 6 inches at the 203 dots per inch of the usual label printer. */
const width = 812
const height = 1218
const margin = 30
const inner = width - 2 * margin

/** The drawn label in ZPL II, the language of label printers. */
export function drawZplLabel(label: ParcelLabel): string {
  const { box, carrier, orderNumber, trackingCode, weightPounds } = label
  return [
    // UTF-8, the paper, and the origin at its corner.
    `^XA^CI28^PW${width}^LL${height}^LH0,0`,
    text(carrier, { y: 40, size: 70 }),
    text(label.service.toUpperCase(), { x: 400, y: 55, size: 40 }),
    rule(130),
    ...party(label.from, { y: 150, width: 470, bottom: 330, sizes: [26, 22, 18, ...smallest] }),
    text(`Order #${orderNumber}`, { x: 520, y: 150, size: 26 }),
    text(`Box ${box.number} of ${box.count}`, { x: 520, y: 182, size: 26 }),
    text(`${weightPounds} lb`, { x: 520, y: 214, size: 26 }),
    rule(340),
    text('SHIP TO', { y: 360, size: 24 }),
    ...party(label.to, { y: 392, width: inner, bottom: 680, sizes: [40, 34, 28, 24, 20, ...smallest] }),
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

const smallest = [16, 14, 12, 10]

interface Room {
  readonly y: number
  readonly width: number
  readonly bottom: number
  readonly sizes: readonly number[]
}

/** In the largest letters that fit every line: a printer writes a line that is too long over itself. */
function party({ name, lines, phone }: LabelParty, { y, width: room, bottom, sizes }: Room): string[] {
  const shown = [name, ...lines, phone].flatMap((line) => oneLine(line ?? '') || [])
  const broken = sizes.map((size) => ({ size, lines: shown.flatMap((line) => broad(line, room / size)) }))
  const fits = broken.find(({ size, lines: all }) => all.length * (size + gapOf(size)) <= bottom - y)
  const { size, lines: all } = fits ?? broken.at(-1) ?? { size: 10, lines: shown }
  return all.map((line, index) => text(line, { y: y + index * (size + gapOf(size)), size }))
}

function gapOf(size: number): number {
  return Math.round(size / 5)
}

/** Breaks at spaces if there are any. The printer's letters are at most 0.6 of their height wide, ideographs 1. */
function broad(line: string, ems: number): string[] {
  const lines: string[] = []
  let now = ''
  const widthOf = (words: string) => [...words].reduce((sum, sign) => sum + (sign > '\u2e7f' ? 1 : 0.6), 0)
  for (const word of line.split(/(?<= )/).flatMap((one) => (widthOf(one) > ems ? [...one] : [one]))) {
    if (now !== '' && widthOf((now + word).trimEnd()) > ems) {
      lines.push(now.trimEnd())
      now = ''
    }
    now += word
  }
  return [...lines, now.trimEnd()].filter((each) => each !== '')
}

function text(words: string, { x = margin, y, size }: { x?: number; y: number; size: number }): string {
  return `^FO${x},${y}^A0N,${size},${size}^FB${width - margin - x},1^FH_^FD${dataOf(words)}^FS`
}

function rule(y: number): string {
  return `^FO0,${y}^GB${width},3,3^FS`
}

/** Escapes the characters that begin a command, so that no name can command the printer. */
function dataOf(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\\]+/gu, ' ')
    .replaceAll(/[_^~]/g, (sign) => `_${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
