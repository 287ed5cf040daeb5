import type { Database } from '#platform/db/database.ts'
import { hasOptedOut, optOut, stateWith } from './send-text.ts'
import { TextRefused, type Text, type TextService, type TextStatus } from './texts.ts'

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
 * row of the message is there before its sending, so that the service's word about it finds one, also before the answer.
 * It is without the number and words.
 */
export async function sendPromised(
  { db, texts }: { readonly db: Database; readonly texts: TextService },
  text: Text,
  { merchantId, attempts, triesAtMost, createdAt }: Tries,
): Promise<Sent> {
  const key = [merchantId, text.messageId]
  const [before] = await db.systemQuery<Noted>(
    `insert into text_messages (merchant_id, message_id, sent_by, number, body, service, state, leased_until)
     values ($1, $2, 'system', '', '', $3, 'sending', now())
     on conflict (merchant_id, message_id) do update set service = excluded.service
     returning state, error`,
    [...key, texts.name],
  )
  if (before?.state === 'sent' || before?.state === 'delivered') return { outcome: 'sent' }
  if (before?.state === 'failed') return notArrived(before)
  const isRepeat = attempts > 1
  let known: TextStatus
  try {
    const found = isRepeat ? await texts.find(text, createdAt) : undefined
    if (found === undefined && (await hasOptedOut(db, text.number))) throw new TextRefused('opted out')
    known = found ?? { serviceId: await texts.send(text), state: 'sent' }
  } catch (error) {
    if (error instanceof TextRefused && error.isOptedOut) await optOut(db, text.number, 'at the service')
    // The refusal of a repetition says nothing about the earlier try, which the service may list late.
    const isFinal = (error instanceof TextRefused && !isRepeat) || attempts >= triesAtMost
    return { outcome: isFinal ? 'never' : 'again', error }
  }
  // A failure here is none of the message: the next try finds it at the service.
  const [after] = await db.systemQuery<Noted>(
    `update text_messages set service_id = $3, state = ${stateWith('$4')}, error = coalesce(error, $5)
     where merchant_id = $1 and message_id = $2 returning state, error`,
    [...key, known.serviceId, known.state, known.reason ?? null],
  )
  return after?.state === 'failed' ? notArrived(after) : { outcome: 'sent' }
}

function notArrived({ error }: Noted): Sent {
  return { outcome: 'never', error: new TextRefused(error ?? 'The text did not arrive.') }
}

interface Noted {
  readonly state: string
  readonly error: string | null
}
