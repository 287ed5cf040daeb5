import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Day, idempotencyKey, MerchantKey, nullable, object, ofMerchant, reasonText } from '../wire/fields.ts'

/** The courier services that may never tell the result of their ID checks, and what the shop has decided about each. */
const CourierChecks = object({
  services: Type.Array(
    object({
      service: Type.String(),
      /** Its part of the call that decides. */
      slug: Type.String(),
      /** An owner relies on the service's check by an agreement; null without one. */
      reliance: nullable(object({ agreement: Type.String(), by: Type.String(), on: Day })),
    }),
  ),
})

export const listCourierChecks = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/courier_checks',
  summary:
    'The courier services that do not tell the result of their ID checks, and whether the shop relies on them',
  access: 'merchant.read',
  params: ofMerchant,
  reply: CourierChecks,
})
export const decideCourierCheck = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/courier_checks/{service}',
  summary: 'Rely on the ID checks of a courier service by its agreement, or no longer',
  access: 'duties.decide',
  params: object({ tmk: MerchantKey, service: Type.String({ pattern: '^[a-z]{1,40}$' }) }),
  body: object({
    is_relied_on: Type.Boolean(),
    /** The agreement and its date, or why the shop no longer relies on it. */
    reason: reasonText(),
  }),
  reply: CourierChecks,
  headers: idempotencyKey,
})
