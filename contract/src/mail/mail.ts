import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Empty } from '../wire/fields.ts'

export const receiveBounces = endpoint({
  call: 'POST /providers/v1/mail/events',
  summary: 'A mail provider says that a mail came back (events of Postmark, SendGrid or Amazon SES)',
  access: 'provider',
  body: Type.Unknown(),
  reply: Empty,
  refusals: ['bad_callback'],
  isJsonAsText: true,
})
