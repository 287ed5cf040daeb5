import { BinaryBitmap, HybridBinarizer, RGBLuminanceSource } from '@zxing/library'

export type Picture = Pick<ImageData, 'data' | 'width' | 'height'>

/** The text of a barcode in a picture; undefined when there is none to read. */
export type Decode = (picture: Picture) => string | undefined

interface Reader {
  decode(picture: BinaryBitmap): { getText(): string }
}

export function readPicture(reader: Reader, { data, width, height }: Picture): string | undefined {
  const grey = new Uint8ClampedArray(width * height)
  for (let at = 0; at < grey.length; at++) {
    const [red = 0, green = 0, blue = 0] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]]
    grey[at] = (red + 2 * green + blue) / 4
  }
  const picture = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)))
  try {
    return reader.decode(picture).getText()
  } catch {
    // The library throws for most pictures of a film.
    return undefined
  }
}
