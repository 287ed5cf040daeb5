import { maybe, text } from '../wire/fields.ts'

/** The clerk's fields for a parcel handed to a carrier; `trackingProblems` checks them. */
export const TrackingFields = {
  tracking_provider: maybe(text(40)),
  tracking_id: maybe(text(200)),
  tracking_url: maybe(text(2000)),
  other_tracking_provider: maybe(text(100)),
}
