import { PDF417Reader } from '@zxing/library'
import { type Picture, readPicture } from '#ui/camera/read-picture.ts'

/** The text of the PDF417 barcode in a picture; undefined when there is none to read. */
export function decodePdf417(picture: Picture): string | undefined {
  return readPicture(new PDF417Reader(), picture)
}
