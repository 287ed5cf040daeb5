import type { Database } from '#platform/db/database.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { TextRefused, type Text, type TextService } from './texts.ts'

const name = 'Sandbox Phones'

/** Numbers at which a message fails, so that the demo can show each failure. The first four are Twilio's own. */
export const textSentinels = {
  invalid: '+15005550001',
  unreachable: '+15005550002',
  optedOut: '+15005550004',
  landline: '+15005550009',
  answerLost: '+15005550010',
  requestLost: '+15005550011',
  broken: '+15005550012',
} as const

const refusals: Readonly<Record<string, string>> = {
  [textSentinels.invalid]: 'There is no phone with this number.',
  [textSentinels.unreachable]: 'This phone cannot be reached by text message.',
  [textSentinels.landline]: 'This number is a landline, which takes no text messages.',
}

/** A page of the demo instead of phones: /demo/outbox shows the messages. */
export function createSandboxTexts(db: Database): TextService {
  const keep = ({ messageId, number, body }: Text) =>
    db.systemQuery(
      'insert into sandbox_texts (message_id, number, body) values ($1, $2, $3) on conflict (message_id) do nothing',
      [messageId, number, body],
    )
  return {
    name,
    slug: 'sandbox',
    async send(text) {
      const { number } = text
      const refusal = refusals[number]
      if (refusal !== undefined) throw new TextRefused(refusal)
      if (number === textSentinels.optedOut)
        throw new TextRefused('The owner of this phone has opted out.', { isOptedOut: true })
      if (number === textSentinels.broken)
        throw new ProviderError({ provider: name, kind: 'refused_connection' })
      if (number !== textSentinels.requestLost) await keep(text)
      if (number === textSentinels.requestLost || number === textSentinels.answerLost)
        throw new ProviderError({ provider: name, kind: 'no_answer' })
      return text.messageId
    },
    async find({ messageId }) {
      const rows = await db.systemQuery('select 1 from sandbox_texts where message_id = $1', [messageId])
      return rows.length === 0 ? undefined : { serviceId: messageId, state: 'sent' }
    },
    // The sandbox sends no callbacks: the demo's page sends replies by its own form.
    readStatus: () => undefined,
    readReply: () => undefined,
  }
}
