import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'

// By default the library fetches the program over the network.
const program = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))
prepareZXingModule({ overrides: { wasmBinary: readFileSync(program).buffer as ArrayBuffer } })

/** The barcode of a licence: one entry for each dot, 0 for black. */
export async function drawPdf417(text: string): Promise<{ width: number; height: number; dots: number[] }> {
  const { symbol } = await writeBarcode(text, { format: 'PDF417' })
  return { width: symbol.width, height: symbol.height, dots: [...symbol.data] }
}
