import type { Callback } from '../couriers/courier.ts'

/** A form is checked as it was signed: field by field. */
export type SignedForm = Omit<Callback, 'body'>

export interface Text {
  /** Our id for it. */
  readonly messageId: string
  /** With a plus sign and country code. */
  readonly number: string
  readonly body: string
}

/** The message will not arrive, for a reason that the sender can act on. Nothing was sent. */
export class TextRefused extends Error {
  /** The phone's owner has told the service to send no more. */
  readonly isOptedOut: boolean
  constructor(message: string, { isOptedOut = false } = {}) {
    super(message)
    this.isOptedOut = isOptedOut
  }
}

export interface TextStatus {
  readonly serviceId: string
  readonly state: 'sent' | 'delivered' | 'failed'
  /** Of a failure, in words for the shop. */
  readonly reason?: string | undefined
}

/** `messageId` is ours, which the callback's address names: its status may come before the answer to the sending. */
export interface StatusForm extends SignedForm {
  readonly messageId?: string | undefined
}

export interface TextReply {
  readonly number: string
  readonly body: string
}

/** The port to a service that brings text messages to phones. */
export interface TextService {
  readonly name: string
  /** Its part of the addresses of its callbacks. */
  readonly slug: string
  /** Returns the service's own id of the message. Throws TextRefused, or ProviderError. */
  send(text: Text): Promise<string>
  /** The outcome of a message whose sending got no answer; undefined if it was not sent. */
  find(text: Text, since: Date): Promise<TextStatus | undefined>
  /** Undefined when the callback is not authentic; null when it says nothing of interest. */
  readStatus(form: StatusForm): TextStatus | null | undefined
  readReply(form: SignedForm): TextReply | null | undefined
}

const stopWords = new Set(['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout'])
const startWords = new Set(['start', 'unstop', 'yes'])

/** The wish that a whole message expresses; a word within a sentence means nothing. */
export function wishIn(body: string): 'stop' | 'start' | undefined {
  const [, word = ''] = /^([a-z]+)[.!]*$/.exec(body.trim().toLowerCase()) ?? []
  if (stopWords.has(word)) return 'stop'
  return startWords.has(word) ? 'start' : undefined
}
