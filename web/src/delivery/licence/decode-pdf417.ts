import { BinaryBitmap, HybridBinarizer, PDF417Reader, RGBLuminanceSource } from '@zxing/library'

type Picture = Pick<ImageData, 'data' | 'width' | 'height'>

/** The text of the PDF417 barcode in a picture; undefined when there is none to read. */
export function decodePdf417({ data, width, height }: Picture): string | undefined {
  const grey = new Uint8ClampedArray(width * height)
  for (let at = 0; at < grey.length; at++) {
    const [red = 0, green = 0, blue = 0] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]]
    grey[at] = (red + 2 * green + blue) / 4
  }
  const picture = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)))
  try {
    return new PDF417Reader().decode(picture).getText()
  } catch {
    // The library throws for most pictures of a film.
    return undefined
  }
}
