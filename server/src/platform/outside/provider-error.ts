import { plainWords } from './plain-words.ts'

/**
 * A failure between us and a provider.
 * - refused_connection: the request did not arrive, so it had no effect
 * - no_answer, broken_off: the request left, and its effect is unknown
 * - circuit_open: not tried, because the provider failed too often just now
 * - too_many: 429
 * - unauthorized: 401 and 403, our key or the merchant's
 * - rejected: any other 4xx: the provider refused this request
 * - unavailable: 5xx
 * - malformed: an unreadable answer
 */
export type FailureKind =
  | 'refused_connection'
  | 'no_answer'
  | 'broken_off'
  | 'circuit_open'
  | 'too_many'
  | 'unauthorized'
  | 'rejected'
  | 'unavailable'
  | 'malformed'

export interface Failure {
  readonly provider: string
  readonly kind: FailureKind
  readonly status?: number | undefined
  /** The provider's own id of the call, for its support desk. */
  readonly requestId?: string | undefined
  /** The provider's own error code. */
  readonly code?: string | undefined
  /** The parsed answer, for the adapter alone: it may repeat the request, so nobody logs or stores it. */
  readonly answer?: unknown
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** Whether another try may succeed later, and whether the provider itself is in trouble. */
const kinds: Readonly<Record<FailureKind, { isEffectUnknown: boolean; isOutage: boolean; reason: string }>> =
  {
    refused_connection: { isEffectUnknown: false, isOutage: true, reason: 'no connection' },
    no_answer: { isEffectUnknown: true, isOutage: true, reason: 'no answer in time' },
    broken_off: { isEffectUnknown: true, isOutage: true, reason: 'the connection broke off' },
    circuit_open: {
      isEffectUnknown: false,
      isOutage: false,
      reason: 'not asked, because it failed too often just now',
    },
    too_many: { isEffectUnknown: false, isOutage: false, reason: 'too many requests' },
    unauthorized: { isEffectUnknown: false, isOutage: false, reason: 'the credential was refused' },
    rejected: { isEffectUnknown: false, isOutage: false, reason: 'the request was refused' },
    unavailable: { isEffectUnknown: true, isOutage: true, reason: 'an error of its own' },
    malformed: { isEffectUnknown: true, isOutage: true, reason: 'an answer that cannot be read' },
  }

const longestRequestId = 200
/** Logs and owners read it, so a sentence that the provider puts there may not repeat the request. */
const codeForm = /^[\w.:-]{1,80}$/

export class ProviderError extends Error {
  readonly provider: string
  readonly kind: FailureKind
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly code: string | undefined
  readonly retryAfterMs: number | undefined
  readonly #answer: unknown

  constructor(failure: Failure) {
    const { provider, kind, status, cause } = failure
    const requestId = failure.requestId && plainWords(failure.requestId, longestRequestId)
    const code = typeof failure.code === 'string' && codeForm.test(failure.code) ? failure.code : undefined
    const facts = [
      status === undefined ? '' : `status ${status}`,
      code === undefined ? '' : `code ${code}`,
      requestId === undefined ? '' : `request ${requestId}`,
    ].filter((fact) => fact !== '')
    super(`${provider}: ${kinds[kind].reason}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`, {
      cause,
    })
    this.name = 'ProviderError'
    this.provider = provider
    this.kind = kind
    this.status = status
    this.requestId = requestId
    this.code = code
    this.retryAfterMs = failure.retryAfterMs
    this.#answer = failure.answer
  }

  /** The provider's answer, parsed if it was JSON. */
  get answer(): unknown {
    return this.#answer
  }

  /** Whether the request may have had its effect: then ask the provider before repeating it. */
  get isEffectUnknown(): boolean {
    return kinds[this.kind].isEffectUnknown || this.status === 408
  }

  /** Whether the provider is in trouble, as opposed to refusing the request. */
  get isOutage(): boolean {
    return kinds[this.kind].isOutage
  }

  /** A few words without personal data, also for the record that owners read. */
  get reason(): string {
    const { reason } = kinds[this.kind]
    const code = this.code === undefined ? '' : `, ${this.code}`
    return this.status === undefined ? reason : `${reason} (${this.status}${code})`
  }

  /** Advice where an earlier try of the same may have had its effect. */
  get adviceInDoubt(): string {
    if (this.isEffectUnknown) return this.advice
    return inDoubt(`, and ${this.provider} did not say: ${this.reason}`)
  }

  /** Advice for the person at the desk. */
  get advice(): string {
    const name = this.provider
    switch (this.kind) {
      case 'refused_connection':
        return `${name} cannot be reached. Nothing was done. Please try again in a few minutes.`
      case 'circuit_open':
        return `${name} has not been answering. Nothing was done. Please try again in a minute.`
      case 'no_answer':
      case 'broken_off':
        return `${name} did not answer in time, so it is not known yet whether it worked. Please look again in a minute before you repeat it.`
      case 'too_many':
        return `${name} is being asked too often. Nothing was done. Please try again in a minute.`
      case 'unauthorized':
        return `${name} does not accept the account's credentials. Please have an owner check them under Settings.`
      case 'rejected':
        return `${name} refused this. Please check what was entered.`
      case 'unavailable':
      case 'malformed':
        return `${name} has a problem of its own. Please look again in a minute before you repeat it.`
    }
  }
}

/** Words about an earlier try of the same. `beside` names what the provider said since. */
export function inDoubt(beside = ''): string {
  return `It is not known yet whether the earlier try worked${beside}. Please look again in two minutes before you repeat it.`
}
