import { maybe, text } from '../wire/fields.ts'

/** What a clerk types when a parcel was handed to a carrier; `trackingProblems` says whether it will do. */
export const TrackingFields = {
  tracking_provider: maybe(text(40)),
  tracking_id: maybe(text(200)),
  tracking_url: maybe(text(2000)),
  other_tracking_provider: maybe(text(100)),
}
