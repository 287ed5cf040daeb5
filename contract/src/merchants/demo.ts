import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { object, Timestamp } from '../wire/fields.ts'

/** The mails and texts that a real installation would have sent, newest first. */
const OutgoingMessage = object({
  id: Type.String(),
  kind: Type.Enum(['mail', 'text_message']),
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
  links: Type.Array(Type.String()),
  created_at: Timestamp,
})
export type OutgoingMessage = Type.Static<typeof OutgoingMessage>

/** These calls exist in the demo alone; elsewhere their addresses answer 404. */
export const listOutbox = endpoint({
  call: 'GET /demo/outbox.json',
  summary: 'Demo only: the newest messages that the server sent',
  access: 'public',
  reply: object({ items: Type.Array(OutgoingMessage) }),
})
export const readOutboxPage = endpoint({
  call: 'GET /demo/outbox',
  summary: 'Demo only: the newest messages as a page',
  access: 'public',
  reply: Type.String(),
  media: 'text/html',
})
export const replyToText = endpoint({
  call: 'POST /demo/text_replies',
  summary: 'Demo only: a phone of the sandbox answers, such as STOP',
  access: 'public',
  body: object({
    number: Type.String({ pattern: '^\\+1[0-9]{10}$' }),
    body: Type.String({ maxLength: 320 }),
  }),
  reply: Type.Null(),
  status: 303,
  isForm: true,
})
export const trackSandboxCourier = endpoint({
  call: 'GET /demo/couriers/{id}',
  summary: "Demo only: where the sandbox's courier is",
  access: 'public',
  params: object({ id: Type.String({ maxLength: 60, pattern: '^[0-9]+-[0-9]+-[0-9a-f]+$' }) }),
  reply: Type.String(),
  media: 'text/html',
})
export const readOutboxStyle = endpoint({
  call: 'GET /demo/outbox.css',
  summary: 'Demo only: how that page looks',
  access: 'public',
  reply: Type.String(),
  media: '*/*',
})
const onboardingToken = object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{20,64}$' }) })
export const readPaymentsPage = endpoint({
  call: 'GET /demo/payments/{token}',
  summary: "Demo only: stands in for the payment provider's hosted onboarding and dashboard",
  access: 'public',
  params: onboardingToken,
  reply: Type.String(),
  media: 'text/html',
})
export const finishPaymentsPage = endpoint({
  call: 'GET /demo/payments/{token}/{outcome}',
  summary: 'Demo only: what the provider makes of the account; leads back to the dashboard',
  access: 'public',
  params: object({
    ...onboardingToken.properties,
    outcome: Type.Enum(['active', 'pending', 'restricted', 'rejected']),
  }),
  reply: Type.String(),
  media: 'text/html',
  status: 303,
})
