import { crc32, deflateSync } from 'node:zlib'
import { code128 } from './barcode.ts'
import { layOut, type Line } from './paragraph.ts'
import { ascent, lineHeight, startOf, type Drawing } from './sheet.ts'

/** The dots per inch of the usual label printer. */
const dotsPerInch = 203
const dots = dotsPerInch / 72

/** Corners in dots, one after the other, of an area that is filled. */
type Outline = [x: number, y: number][]

export interface Picture extends Drawing {
  toPng(): Buffer
}

/** One page in black dots on white, as a label printer makes them. Its lines are whole, its corners square. */
export function createPicture(page: { width: number; height: number }): Picture {
  const width = Math.round(page.width * dots)
  const height = Math.round(page.height * dots)
  const isWhite = new Uint8Array(width * height).fill(1)

  function fill(outlines: readonly Outline[], color: number): void {
    const rows = outlines.flat().map(([, y]) => y)
    const last = Math.min(height - 1, Math.floor(Math.max(...rows)))
    for (let row = Math.max(0, Math.floor(Math.min(...rows))); row <= last; row++) {
      for (const [from, to] of spansOf(outlines, row + 0.5))
        isWhite.fill(
          color,
          row * width + Math.min(width, Math.max(0, Math.round(from))),
          row * width + Math.min(width, Math.max(0, Math.round(to))),
        )
    }
  }

  function fillBox(box: { x: number; y: number; width: number; height: number }, color = 0): void {
    const [left, right] = [box.x * dots, (box.x + box.width) * dots]
    const [top, bottom] = [box.y * dots, (box.y + box.height) * dots]
    const corners: Outline = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ]
    fill([corners], color)
  }

  function writeLine(line: Line, at: { x: number; y: number; size: number; color: number }): void {
    let x = at.x
    for (const { typeface, text, isRightToLeft, width: runWidth } of line.runs) {
      const scale = (at.size / typeface.font.unitsPerEm) * dots
      const { glyphs, positions } = typeface.font.layout(text, isRightToLeft ? [] : undefined)
      let pen = x * dots
      for (const [index, glyph] of glyphs.entries()) {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
        const corner = { x: pen + xOffset * scale, y: (at.y + at.size * ascent) * dots - yOffset * scale }
        const outlines = outlinesOf(glyph.path.commands, { ...corner, scale })
        if (outlines.length > 0) fill(outlines, at.color)
        pen += xAdvance * scale
      }
      x += runWidth
    }
  }

  return {
    ...page,
    text(text, place, style) {
      const lines = layOut(text, style, place.width)
      const color = style.color === '#ffffff' ? 1 : 0
      for (const [index, line] of lines.entries())
        writeLine(line, {
          x: startOf(line, place, style.align),
          y: place.y + index * lineHeight(style),
          size: style.size,
          color,
        })
      return lines.length * lineHeight(style)
    },
    rule({ x, y, width: length }, { thickness = 0.6 } = {}) {
      fillBox({ x, y: y - thickness / 2, width: length, height: thickness })
    },
    box(box, { fill: color, thickness = 0.8 }) {
      if (color !== undefined) return fillBox(box, color === '#ffffff' ? 1 : 0)
      const outer = {
        x: box.x - thickness / 2,
        y: box.y - thickness / 2,
        width: box.width + thickness,
        height: box.height + thickness,
      }
      for (const y of [outer.y, outer.y + box.height]) fillBox({ ...outer, y, height: thickness })
      for (const x of [outer.x, outer.x + box.width]) fillBox({ ...outer, x, width: thickness })
    },
    barcode(text, box) {
      const widths = code128(text)
      const modules = widths.reduce((sum, each) => sum + each, 0)
      // Whole dots, so that every module is as wide as the next.
      const unit = Math.max(1, Math.floor((box.width * dots) / modules)) / dots
      let x = Math.round((box.x + (box.width - modules * unit) / 2) * dots) / dots
      for (const [index, each] of widths.entries()) {
        if (index % 2 === 0) fillBox({ ...box, x, width: each * unit })
        x += each * unit
      }
    },
    toPng: () => toPng(isWhite, width, height),
  }
}

/** From where to where a row is inside: wherever the outlines turn around it. */
function spansOf(outlines: readonly Outline[], y: number): [from: number, to: number][] {
  const crossings: { x: number; turn: number }[] = []
  for (const outline of outlines) {
    let [x0, y0] = outline.at(-1) ?? [0, 0]
    for (const [x1, y1] of outline) {
      if (y0 <= y !== y1 <= y)
        crossings.push({ x: x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), turn: y0 < y1 ? 1 : -1 })
      x0 = x1
      y0 = y1
    }
  }
  const spans: [number, number][] = []
  let [turns, from] = [0, 0]
  for (const { x, turn } of crossings.toSorted((a, b) => a.x - b.x)) {
    if (turns === 0) from = x
    turns += turn
    if (turns === 0) spans.push([from, x])
  }
  return spans
}

interface Command {
  readonly command: string
  readonly args: readonly number[]
}

/** A glyph's curves as short straight lines. */
function outlinesOf(
  commands: readonly Command[],
  { x, y, scale }: { x: number; y: number; scale: number },
): Outline[] {
  const outlines: Outline[] = []
  let [nowX, nowY] = [0, 0]
  const steps = 6
  for (const { command, args } of commands) {
    if (command === 'closePath') continue
    if (command === 'moveTo') outlines.push([])
    const points = [nowX, nowY, ...args]
    const count = command === 'moveTo' || command === 'lineTo' ? 1 : steps
    for (let step = 1; step <= count; step++) {
      const [atX, atY] = pointOn(command === 'moveTo' ? [...args] : points, step / count)
      outlines.at(-1)?.push([x + atX * scale, y - atY * scale])
    }
    nowX = args.at(-2) ?? 0
    nowY = args.at(-1) ?? 0
  }
  return outlines
}

/** De Casteljau's way to a point of a curve; two points are a line, one is itself. */
function pointOn(points: readonly number[], part: number): [number, number] {
  if (points.length <= 2) return [points[0] ?? 0, points[1] ?? 0]
  const between = points.slice(0, -2).map((value, index) => value + part * ((points[index + 2] ?? 0) - value))
  return pointOn(between, part)
}

function toPng(isWhite: Uint8Array, width: number, height: number): Buffer {
  const rowBytes = Math.ceil(width / 8)
  // Each row begins with its filter, which is none.
  const rows = Buffer.alloc((rowBytes + 1) * height)
  for (let at = 0; at < isWhite.length; at++) {
    if (isWhite[at] === 0) continue
    const x = at % width
    const byte = Math.floor(at / width) * (rowBytes + 1) + 1 + (x >> 3)
    rows[byte] = (rows[byte] ?? 0) | (0x80 >> (x & 7))
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit a dot; everything else is the only value that PNG knows.
  header[8] = 1
  const perMetre = Buffer.alloc(9)
  const dotsPerMetre = Math.round(dotsPerInch / 0.0254)
  perMetre.writeUInt32BE(dotsPerMetre, 0)
  perMetre.writeUInt32BE(dotsPerMetre, 4)
  perMetre[8] = 1
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('pHYs', perMetre),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
