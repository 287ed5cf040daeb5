import bwip from 'bwip-js/node'

/** Widths of bars and gaps in turn, beginning with a bar, in modules. */
export function code128(text: string): readonly number[] {
  const [symbol] = bwip.raw({ bcid: 'code128', text }) as readonly { readonly sbs?: readonly number[] }[]
  if (symbol?.sbs === undefined) throw new Error('The barcode could not be made.')
  return symbol.sbs
}

/** The width of the whole symbol, in modules. */
export function modulesOf(text: string): number {
  return code128(text).reduce((sum, width) => sum + width, 0)
}
