import { createHmac } from 'node:crypto'
import { text } from '@cellarhand/contract/fields'
import { Type } from 'typebox'
import { createBodyReader } from '#platform/http/callback-body.ts'
import { entryOf, fieldsOf, textOf } from '#platform/outside/answers.ts'
import { createOutside, type OutsideOptions } from '#platform/outside/outside.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { sameSecret } from '#platform/same-secret.ts'
import { TextRefused, type SignedForm, type StatusForm, type TextService, type TextStatus } from './texts.ts'

export interface TwilioSettings {
  readonly url: string
  readonly accountSid: string
  readonly authToken: string
  /** A messaging service, or else the sending number. */
  readonly messagingServiceSid: string | undefined
  readonly from: string | undefined
  /** Our own public address, which Twilio's signature covers. */
  readonly publicUrl: string
}

const name = 'Twilio'
const readFields = createBodyReader(
  Type.Object({
    MessageSid: Type.Optional(text(64)),
    MessageStatus: Type.Optional(text(40)),
    ErrorCode: Type.Optional(text(40)),
    From: Type.Optional(text(100)),
    Body: Type.Optional(text(10_000)),
  }),
)
/** After this a message with directions is of no use to the driver. */
const validitySeconds = 14_400
const optedOut = '21610'
const refusals: Readonly<Record<string, string>> = {
  '21211': 'There is no phone with this number.',
  '21214': 'This phone cannot be reached.',
  '21408': 'Text messages to this region are not enabled.',
  '21614': 'This number takes no text messages.',
  '21617': 'The message is too long.',
  '30003': 'The phone could not be reached.',
  '30004': 'The phone blocks messages.',
  '30005': 'There is no phone with this number.',
  '30006': 'This number is a landline, which takes no text messages.',
  '30007': 'The phone company filtered the message.',
  '30034': 'The sender is not registered with the phone companies (A2P 10DLC).',
}

/** Twilio's messages: one form to send, and two addresses for its signed callbacks. */
export function createTwilio(
  settings: TwilioSettings,
  options: Pick<OutsideOptions, 'health' | 'timeoutMs' | 'firstWaitMs'>,
): TextService {
  const outside = createOutside({ provider: name, ...options, codeOf })
  const { accountSid, authToken, publicUrl } = settings
  const url = `${settings.url}/2010-04-01/Accounts/${accountSid}/Messages.json`
  const headers = {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
  }
  const ownAddress = (what: 'status' | 'replies') => `${publicUrl}/providers/v1/texts/twilio/${what}`
  const statusAddress = ({ messageId }: Pick<StatusForm, 'messageId'>) =>
    `${ownAddress('status')}${messageId === undefined ? '' : `?message=${messageId}`}`

  return {
    name,
    slug: 'twilio',
    async send({ messageId, number, body }) {
      const form = new URLSearchParams({
        To: number,
        Body: body,
        ValidityPeriod: String(validitySeconds),
        StatusCallback: statusAddress({ messageId }),
        ...(settings.messagingServiceSid === undefined
          ? { From: settings.from ?? '' }
          : { MessagingServiceSid: settings.messagingServiceSid }),
      })
      try {
        return sidOf((await outside.call({ method: 'POST', url, headers, form })).json)
      } catch (error) {
        throw wordsFor(error)
      }
    },
    async find({ number, body }, since) {
      // Not by the date of sending, which a message that still waits at Twilio does not have.
      const query = new URLSearchParams({ To: number, PageSize: '1000' })
      const answer = await outside.call({ method: 'GET', url: `${url}?${query.toString()}`, headers })
      const { messages } = fieldsOf(answer.json)
      // No list is not an empty list: the message stays in doubt, and is not sent twice.
      if (!Array.isArray(messages)) throw new ProviderError({ provider: name, kind: 'malformed' })
      const same = messages.map(fieldsOf).filter(({ body: text }) => text === body)
      const madeAt = ({ date_created: made }: Readonly<Record<string, unknown>>) => Date.parse(String(made))
      const found = same.find((each) => madeAt(each) >= since.getTime() - 60_000)
      // One of an unreadable age may be the one that is looked for.
      if (found === undefined && same.some((each) => Number.isNaN(madeAt(each))))
        throw new ProviderError({ provider: name, kind: 'malformed' })
      if (found === undefined) return undefined
      const serviceId = sidOf(found)
      const code = found['error_code'] == null ? undefined : String(found['error_code'])
      const known = statusOf({
        MessageSid: serviceId,
        MessageStatus: textOf(found['status']),
        ErrorCode: code,
      })
      return known ?? { serviceId, state: 'sent' }
    },
    readStatus(callback) {
      const fields = readSigned(callback, { authToken, url: statusAddress(callback) })
      return fields && statusOf(fields)
    },
    readReply(callback) {
      const fields = readSigned(callback, { authToken, url: ownAddress('replies') })
      if (fields === undefined) return undefined
      const { From: number, Body: body = '' } = fields
      return number === undefined ? null : { number, body }
    },
  }
}

function statusOf({
  MessageSid: serviceId,
  MessageStatus: status,
  ErrorCode: code,
}: Fields): TextStatus | null {
  if (serviceId === undefined) return null
  if (status === 'sent' || status === 'delivered') return { serviceId, state: status }
  if (status !== 'undelivered' && status !== 'failed' && status !== 'canceled') return null
  // Twilio's codes are numbers. Another text could repeat the message.
  const number = code !== undefined && /^\d{1,10}$/.test(code) ? code : 'unknown'
  return { serviceId, state: 'failed', reason: entryOf(refusals, number) ?? `Twilio's error ${number}` }
}

function sidOf(message: unknown): string {
  const sid = textOf(fieldsOf(message)['sid'])
  if (sid === undefined) throw new ProviderError({ provider: name, kind: 'malformed' })
  return sid
}

type Fields = Readonly<Record<string, string | undefined>>

/** Twilio signs the given address, followed by every field in sequence. */
export function twilioSignature(authToken: string, url: string, fields: Fields): string {
  const text = Object.keys(fields)
    .toSorted()
    .map((key) => `${key}${fields[key] ?? ''}`)
    .join('')
  return createHmac('sha1', authToken)
    .update(url + text)
    .digest('base64')
}

function readSigned(
  { headers, rawBody }: SignedForm,
  { authToken, url }: { authToken: string; url: string },
): Fields | undefined {
  const fields = Object.fromEntries(new URLSearchParams(rawBody))
  const given = String(headers['x-twilio-signature'] ?? '')
  return sameSecret(given, twilioSignature(authToken, url, fields)) ? readFields(fields) : undefined
}

function codeOf(answer: unknown): string | undefined {
  const { code } = fieldsOf(answer)
  return typeof code === 'number' ? String(code) : undefined
}

function wordsFor(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return error
  if (error.code === optedOut)
    return new TextRefused('The owner of this phone has opted out.', { isOptedOut: true })
  return new TextRefused(
    entryOf(refusals, error.code) ?? 'The text message service did not take this message.',
  )
}
