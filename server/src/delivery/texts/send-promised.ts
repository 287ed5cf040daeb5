import type { Database } from '#platform/db/database.ts'
import { hasOptedOut, optOut } from './send-text.ts'
import { TextRefused, type Text, type TextService } from './texts.ts'

interface Tries {
  readonly merchantId: string
  readonly attempts: number
  readonly triesAtMost: number
  readonly createdAt: Date
}

/** `again` and `never` say whether another try may help, and why this one did not. */
export type Sent =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'again' | 'never'; readonly error: unknown }

/**
 * One try at a text message that a row of a table promises. An earlier try may have arrived without an answer. The
 * outcome is noted under the message's id, without its number and words.
 */
export async function sendPromised(
  { db, texts }: { readonly db: Database; readonly texts: TextService },
  text: Text,
  { merchantId, attempts, triesAtMost, createdAt }: Tries,
): Promise<Sent> {
  let serviceId: string
  try {
    if (await hasOptedOut(db, text.number)) throw new TextRefused('opted out')
    const known = attempts > 1 ? await texts.find(text, createdAt) : undefined
    serviceId = known ?? (await texts.send(text))
  } catch (error) {
    if (error instanceof TextRefused && error.isOptedOut) await optOut(db, text.number, 'at the service')
    const isFinal = error instanceof TextRefused || attempts >= triesAtMost
    return { outcome: isFinal ? 'never' : 'again', error }
  }
  // A failure here is none of the message: the next try finds it at the service.
  await db.systemQuery(
    `insert into text_messages (merchant_id, message_id, sent_by, number, body, service, service_id, state, leased_until)
     values ($1, $2, 'system', '', '', $3, $4, 'sent', now()) on conflict do nothing`,
    [merchantId, text.messageId, texts.name, serviceId],
  )
  return { outcome: 'sent' }
}
