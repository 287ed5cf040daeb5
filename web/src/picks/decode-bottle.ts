import { BarcodeFormat, DecodeHintType, MultiFormatOneDReader } from '@zxing/library'
import { type Picture, readPicture } from '#ui/camera/read-picture.ts'

/** Those of bottles and cases, each with a check digit of its own. */
const formats = [BarcodeFormat.EAN_13, BarcodeFormat.UPC_A, BarcodeFormat.EAN_8, BarcodeFormat.ITF]
const reader = new MultiFormatOneDReader(new Map([[DecodeHintType.POSSIBLE_FORMATS, formats]]))

/** The number of the barcode of a bottle in a picture; undefined when there is none to read. */
export function decodeBottle(picture: Picture): string | undefined {
  return readPicture(reader, picture)
}
