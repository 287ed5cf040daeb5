import { Type } from 'typebox'
import { nullable, object, Timestamp } from '../wire/fields.ts'
import { courierStates } from './courier-states.ts'

export const CourierInfo = object({
  provider: nullable(Type.String()),
  tracking_url: nullable(Type.String()),
  number_of_packages: nullable(Type.Integer()),
  estimated_delivery_time: nullable(Timestamp),
  estimated_pickup_time: nullable(Timestamp),
  requested_pickup_time: nullable(Timestamp),
  order_status: Type.Enum(courierStates),
})
