import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Count, Empty, object, ofUser, text } from '../wire/fields.ts'

const TwoStep = object({
  is_on: Type.Boolean(),
  /** An owner has made it a duty for everybody of the merchant. */
  is_required: Type.Boolean(),
  recovery_codes_left: Count,
})
const RecoveryCodes = object({ recovery_codes: Type.Array(Type.String()) })
const password = text(256)
/** Six digits of the authenticator app, or one of the recovery codes. */
const code = text(40)

export const getTwoStep = endpoint({
  call: 'GET /a/v2/users/{id}/two_step',
  summary: 'Whether signing in takes a second step',
  access: 'self',
  params: ofUser,
  reply: TwoStep,
})
export const startTwoStep = endpoint({
  call: 'POST /a/v2/users/{id}/two_step',
  summary: 'A secret for the authenticator app; it counts once a code of it was confirmed',
  access: 'self',
  params: ofUser,
  body: object({ password }),
  reply: object({ secret: Type.String(), otpauth_url: Type.String() }),
  status: 201,
  refusals: ['two_step_on', 'too_many_requests'],
})
export const confirmTwoStep = endpoint({
  call: 'POST /a/v2/users/{id}/two_step/confirmation',
  summary:
    'Turn two-step sign-in on with a first code; answers the recovery codes, this once. Other sessions end',
  access: 'self',
  params: ofUser,
  body: object({ code }),
  reply: RecoveryCodes,
  refusals: ['two_step_on', 'too_many_requests'],
})
export const renewRecoveryCodes = endpoint({
  call: 'POST /a/v2/users/{id}/two_step/recovery_codes',
  summary: 'New recovery codes; the earlier ones end',
  access: 'self',
  params: ofUser,
  body: object({ password, code }),
  reply: RecoveryCodes,
  refusals: ['two_step_off', 'too_many_requests'],
})
export const disableTwoStep = endpoint({
  call: 'POST /a/v2/users/{id}/two_step/removal',
  summary: 'Turn two-step sign-in off',
  access: 'self',
  params: ofUser,
  body: object({ password, code }),
  reply: Empty,
  refusals: ['two_step_off', 'two_step_required', 'too_many_requests'],
})
