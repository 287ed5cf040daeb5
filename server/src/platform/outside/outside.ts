import type { Clock } from '../clock/clock.ts'
import { createCircuit } from './circuit.ts'
import type { HealthRecord } from './health.ts'
import { ProviderError, type Failure } from './provider-error.ts'
import { readRetryAfter } from './retry-after.ts'
import { causeOf, wasNeverSent } from './network-error.ts'

export interface OutsideOptions {
  /** The name for people: `EasyPost`. */
  readonly provider: string
  readonly health: HealthRecord
  /** For one try, from the first byte sent to the last one read. */
  readonly timeoutMs?: number
  /** For all tries of one call together. */
  readonly budgetMs?: number
  readonly firstWaitMs?: number
  /** Finds the provider's own error code in its answer. */
  readonly codeOf?: (answer: unknown) => string | undefined
  /** Headers in which the provider names the call. */
  readonly requestIdHeaders?: readonly string[]
}

interface OutsideRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL | string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: URLSearchParams
  /** An encoded body; the headers give its type. */
  readonly body?: string | Uint8Array
  /** Whether repeating the call is harmless. GET is; every other call must say so. */
  readonly isIdempotent?: boolean
  readonly timeoutMs?: number
  /** The expected answer: JSON unless it says bytes. */
  readonly expect?: 'json' | 'bytes'
}

interface OutsideAnswer {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  /** Undefined when the answer is empty or bytes were expected. */
  readonly json: unknown
  readonly bytes: Buffer
}

/** Every call to one provider goes through here. */
export interface Outside {
  readonly provider: string
  readonly clock: Clock
  /** Throws `ProviderError` for everything but a readable 2xx. */
  call(request: OutsideRequest): Promise<OutsideAnswer>
  /** Puts a provider's own library behind the same circuit and record; `explain` recognises the provider's errors. */
  watch<T>(work: () => Promise<T>, explain: (error: unknown) => Failure | undefined): Promise<T>
}

const tries = 3
const earlyTimerMs = 20
const answerLimitBytes = 20 * 1024 * 1024
const usualRequestIdHeaders = ['x-request-id', 'request-id', 'x-ep-request-uuid', 'twilio-request-id']

export function createOutside(options: OutsideOptions): Outside {
  const { provider, health, timeoutMs = 10_000, budgetMs = 25_000, firstWaitMs = 250 } = options
  const { clock } = health
  const circuit = createCircuit(clock)

  /** One try, behind the circuit and on the record. */
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    const waitMs = circuit.tryPass()
    if (waitMs > 0) throw new ProviderError({ provider, kind: 'circuit_open', retryAfterMs: waitMs })
    try {
      const result = await work()
      circuit.succeeded()
      health.succeeded(provider)
      return result
    } catch (error) {
      note(error)
      throw error
    }
  }

  function note(error: unknown): void {
    if (!(error instanceof ProviderError)) return
    if (error.isOutage) circuit.failed()
    else circuit.succeeded()
    if (error.kind === 'too_many') circuit.pause(error.retryAfterMs ?? 0)
    // A provider that refuses a request has answered.
    if (error.kind === 'rejected') health.succeeded(provider)
    else health.failed(error)
  }

  async function call(request: OutsideRequest): Promise<OutsideAnswer> {
    const until = clock.readingMs() + budgetMs
    for (let attempt = 1; ; attempt++) {
      try {
        return await guarded(() => send(request, { ...options, timeoutMs: request.timeoutMs ?? timeoutMs }))
      } catch (error) {
        const waitMs = error instanceof ProviderError ? waitBefore(error, request, attempt) : undefined
        if (waitMs === undefined || clock.readingMs() + waitMs > until) throw error
        await clock.sleep(waitMs)
      }
    }
  }

  /** Undefined when another try is useless, or could repeat an effect. */
  function waitBefore(error: ProviderError, request: OutsideRequest, attempt: number): number | undefined {
    const { method, isIdempotent = method === 'GET' } = request
    if (attempt >= tries || !(error.isOutage || error.kind === 'too_many')) return undefined
    if (error.isEffectUnknown && !isIdempotent) return undefined
    const usual = firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
    // A timer may fire a millisecond early, while the circuit is still closed to callers.
    return Math.max(usual, (error.retryAfterMs ?? 0) + earlyTimerMs)
  }

  return {
    provider,
    clock,
    call,
    async watch(work, explain) {
      return guarded(async () => {
        try {
          return await work()
        } catch (error) {
          const failure = explain(error)
          throw failure === undefined ? error : new ProviderError(failure)
        }
      })
    },
  }
}

async function send(
  request: OutsideRequest,
  options: OutsideOptions & { timeoutMs: number },
): Promise<OutsideAnswer> {
  const { provider, health } = options
  const signal = health.clock.limit(options.timeoutMs)
  let response: Response
  let bytes: Buffer
  try {
    response = await fetch(request.url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        'user-agent': 'Cellarhand/1',
        ...bodyType(request),
        ...request.headers,
      },
      // A moved provider says so in its documents; a redirect here would send the credential elsewhere.
      redirect: 'manual',
      signal,
      ...bodyOf(request),
    })
    bytes = await readBytes(response)
  } catch (error) {
    throw new ProviderError({ provider, kind: kindOf(error, signal), cause: causeOf(error) })
  }
  return readAnswer(request, { response, bytes }, options)
}

function bodyType({ json, form }: OutsideRequest): Record<string, string> {
  if (json !== undefined) return { 'content-type': 'application/json' }
  return form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
}

function bodyOf({ json, form, body }: OutsideRequest): { body?: string | Buffer<ArrayBuffer> } {
  if (json !== undefined) return { body: JSON.stringify(json) }
  if (form !== undefined) return { body: form.toString() }
  return body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }
}

async function readBytes(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > answerLimitBytes) throw new Error(`The answer is larger than ${answerLimitBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function readAnswer(
  request: OutsideRequest,
  { response, bytes }: { response: Response; bytes: Buffer },
  { provider, health, codeOf, requestIdHeaders = usualRequestIdHeaders }: OutsideOptions,
): OutsideAnswer {
  const { status, headers } = response
  const requestId = requestIdHeaders.map((name) => headers.get(name)).find((id) => id !== null) ?? undefined
  const json = parse(bytes)
  if (!response.ok) {
    throw new ProviderError({
      provider,
      kind: kindOfStatus(status),
      status,
      requestId,
      code: codeOf?.(json.value),
      answer: json.value,
      retryAfterMs: readRetryAfter(headers.get('retry-after'), health.clock.nowMs()),
    })
  }
  if (request.expect === 'bytes') return { status, headers, requestId, json: undefined, bytes }
  if (!json.isRead) throw new ProviderError({ provider, kind: 'malformed', status, requestId })
  return { status, headers, requestId, json: json.value, bytes }
}

function parse(bytes: Buffer): { isRead: boolean; value: unknown } {
  if (bytes.length === 0) return { isRead: true, value: undefined }
  try {
    return { isRead: true, value: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return { isRead: false, value: undefined }
  }
}

export function kindOfStatus(status: number): Failure['kind'] {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 429) return 'too_many'
  if (status === 408) return 'no_answer'
  if (status >= 500) return 'unavailable'
  return status >= 400 ? 'rejected' : 'malformed'
}

function kindOf(error: unknown, signal: AbortSignal): Failure['kind'] {
  if (signal.aborted) return 'no_answer'
  return wasNeverSent(causeOf(error)) ? 'refused_connection' : 'broken_off'
}
