import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Bar } from './pdf-text.ts'

// By default the library fetches the program over the network.
const program = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: readFileSync(program).buffer as ArrayBuffer } })

const dotsPerPoint = 6
const quiet = 60

/** A scanner's reading of one page's bars, painted black on white. */
export async function scan(bars: readonly Bar[]): Promise<{ format: string; text: string }[]> {
  const left = Math.min(...bars.map(({ x }) => x))
  const top = Math.min(...bars.map(({ y }) => y))
  const right = Math.max(...bars.map(({ x, width }) => x + width))
  const dots = (points: number) => Math.round(points * dotsPerPoint)
  const width = dots(right - left) + 2 * quiet
  const height = 80
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const bar of bars.filter(({ y }) => y === top)) {
    for (let x = dots(bar.x - left); x < dots(bar.x + bar.width - left); x++) {
      for (let y = 10; y < height - 10; y++)
        data.fill(0, (y * width + x + quiet) * 4, (y * width + x + quiet) * 4 + 3)
    }
  }
  return readImage({ data, width, height })
}

/** The dots of a picture in black and white, and what a scanner reads from it. */
export async function scanPicture(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const begin = png.indexOf('IDAT') + 4
  const rows = inflateSync(png.subarray(begin, begin + png.readUInt32BE(begin - 8)))
  const rowBytes = Math.ceil(width / 8) + 1
  const isBlack = (x: number, y: number) =>
    (((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let at = 0; at < width * height; at++)
    if (isBlack(at % width, Math.floor(at / width))) data.fill(0, at * 4, at * 4 + 3)
  return { width, height, isBlack, codes: await readImage({ data, width, height }) }
}

async function readImage(image: { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }) {
  const found = await readBarcodes({ ...image, colorSpace: 'srgb' })
  return found.map(({ format, text }) => ({ format, text }))
}
