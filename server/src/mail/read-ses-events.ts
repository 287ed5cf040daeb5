import type { Bounce } from '#platform/mail/undelivered.ts'
import { textOf, timeOf } from './event-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** An event of Amazon SES, wrapped by SNS or raw; it may name several recipients. */
export function readSesEvent(body: unknown, now: Date): Bounce[] {
  const event = unwrapped(fieldsOf(body))
  const kind = textOf(event['notificationType'] ?? event['eventType'])
  if (kind === 'Bounce') return bouncesOf(event, now)
  return kind === 'Complaint' ? complaintsOf(event, now) : []
}

/** The link that confirms a subscription of Amazon SNS; undefined unless it is an address of Amazon's own. */
export function subscriptionLink(body: unknown): string | undefined {
  const { Type, SubscribeURL } = fieldsOf(body)
  const isOfAmazon = /^https:\/\/sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\//.test(textOf(SubscribeURL))
  return Type === 'SubscriptionConfirmation' && isOfAmazon ? textOf(SubscribeURL) : undefined
}

function unwrapped(body: Fields): Fields {
  if (body['Type'] !== 'Notification') return body
  try {
    return fieldsOf(JSON.parse(textOf(body['Message'])))
  } catch {
    return {}
  }
}

function bouncesOf(event: Fields, now: Date): Bounce[] {
  const { bounceType, bounceSubType, bouncedRecipients, timestamp } = fieldsOf(event['bounce'])
  // Amazon reports automatic replies under this name too.
  if (bounceType === 'Transient' && bounceSubType === 'General') return []
  return listOf(bouncedRecipients).map(({ emailAddress, diagnosticCode }) => ({
    mailId: mailIdOf(event),
    recipient: textOf(emailAddress),
    reason: textOf(diagnosticCode) || `${textOf(bounceType)}, ${textOf(bounceSubType)}`,
    at: timeOf(timestamp, now),
  }))
}

function complaintsOf(event: Fields, now: Date): Bounce[] {
  const { complainedRecipients, timestamp } = fieldsOf(event['complaint'])
  return listOf(complainedRecipients).map(({ emailAddress }) => ({
    mailId: mailIdOf(event),
    recipient: textOf(emailAddress),
    reason: 'The recipient reported it as spam.',
    at: timeOf(timestamp, now),
  }))
}

/** Amazon gives mails its own ids. Ours is among the original headers, if the topic includes them. */
function mailIdOf(event: Fields): string | undefined {
  const { messageId } = fieldsOf(fieldsOf(event['mail'])['commonHeaders'])
  return /<([0-9a-f-]{36})@/.exec(textOf(messageId))?.[1]
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(fieldsOf) : [])

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
