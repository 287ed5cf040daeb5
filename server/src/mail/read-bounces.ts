import type { Bounce } from '#platform/mail/undelivered.ts'
import { textOf, timeOf } from './event-fields.ts'
import { readSesEvent } from './read-ses-events.ts'

/** Postmark's names for mails that will not arrive; its other names are delays and automatic replies. */
const lost = new Set([
  'HardBounce',
  'SoftBounce',
  'BadEmailAddress',
  'Blocked',
  'DnsError',
  'ManuallyDeactivated',
  'SpamNotification',
])

interface PostmarkEvent {
  readonly RecordType: 'Bounce'
  readonly Type?: unknown
  readonly Email?: unknown
  readonly Details?: unknown
  readonly Description?: unknown
  readonly BouncedAt?: unknown
}

interface SendGridEvent {
  readonly event: 'bounce' | 'dropped'
  readonly email?: unknown
  readonly reason?: unknown
  readonly 'smtp-id'?: unknown
  readonly timestamp?: unknown
}

/** The bounces in a mail provider's callback: one event of Postmark or Amazon, or a list of SendGrid's. */
export function readBounces(body: unknown, now: Date): Bounce[] {
  const events: readonly unknown[] = Array.isArray(body) ? body : [body]
  return events
    .flatMap((event) => {
      if (isPostmark(event)) return ofPostmark(event, now)
      return isSendGrid(event) ? ofSendGrid(event, now) : readSesEvent(event, now)
    })
    .filter((bounce) => bounce !== undefined && bounce.recipient !== '') as Bounce[]
}

function isPostmark(event: unknown): event is PostmarkEvent {
  return (event as Partial<PostmarkEvent> | null)?.RecordType === 'Bounce'
}

function isSendGrid(event: unknown): event is SendGridEvent {
  const name = (event as Partial<SendGridEvent> | null)?.event
  return name === 'bounce' || name === 'dropped'
}

function ofPostmark({ Type, Email, Details, Description, BouncedAt }: PostmarkEvent, now: Date) {
  if (!lost.has(textOf(Type))) return undefined
  return {
    mailId: undefined,
    recipient: textOf(Email),
    reason: textOf(Details) || textOf(Description) || textOf(Type),
    at: timeOf(BouncedAt, now),
  }
}

function ofSendGrid({ event, email, reason, timestamp, ...rest }: SendGridEvent, now: Date): Bounce {
  return {
    mailId: /<([0-9a-f-]{36})@/.exec(textOf(rest['smtp-id']))?.[1],
    recipient: textOf(email),
    reason: textOf(reason) || event,
    at: timeOf(typeof timestamp === 'number' ? timestamp * 1000 : undefined, now),
  }
}
