import type { Type } from 'typebox'
import { filledText, maybe, object, text } from '../wire/fields.ts'

/** Where the parcel or the driver goes: what a label's refusal asks to be put right. */
export const RecipientAddress = object({
  street_1: filledText(200),
  street_2: maybe(text(200)),
  street_3: maybe(text(200)),
  city: filledText(100),
  state: filledText(50),
  zipcode: filledText(10),
  phone_number: maybe(text(32)),
})
export type RecipientAddress = Type.Static<typeof RecipientAddress>
