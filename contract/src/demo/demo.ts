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
export const readOutboxStyle = endpoint({
  call: 'GET /demo/outbox.css',
  summary: 'Demo only: how that page looks',
  access: 'public',
  reply: Type.String(),
  media: '*/*',
})
