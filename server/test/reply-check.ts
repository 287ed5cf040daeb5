import type { Endpoint } from '@cellarhand/contract/endpoint'
import { endpoints } from '@cellarhand/contract/endpoints'
import { streamEvents, type StreamEventName } from '@cellarhand/contract/events'
import { problemType } from '@cellarhand/contract/problem'
import { problemBodyOf } from '@cellarhand/contract/problem-bodies'
import { refusals, type RefusalCode } from '@cellarhand/contract/refusals'
import { LabelRefusal } from '@cellarhand/contract/shipping'
import { Ajv, type ValidateFunction } from 'ajv'

const ajv = new Ajv({ strict: false, allErrors: true })
const checks = new Map<object, ValidateFunction>()

function checkOf(schema: object): ValidateFunction {
  let check = checks.get(schema)
  if (check === undefined) {
    check = ajv.compile(schema)
    checks.set(schema, check)
  }
  return check
}

/** The refusals that every call may give, so that the contract does not repeat them for each. */
const common: readonly RefusalCode[] = [
  'validation_failed',
  'malformed_body',
  'unauthorized',
  'bad_client_credential',
  'forbidden',
  'two_step_setup_required',
  'not_found',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'not_implemented',
  'changed_elsewhere',
  'too_much_at_once',
  'too_busy',
  'database_unavailable',
  'merchant_moving',
  'merchant_moved',
]
const ofIdempotentCalls: readonly RefusalCode[] = ['request_in_progress', 'idempotency_key_reused']
interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

function endpointOf(line: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.call === line)
  if (found === undefined) throw new Error(`${line} is not in the contract`)
  return found
}

/** Throws unless an answer fits the contract: its reply to the last field, or a known refusal. */
export function checkReply(line: string, reply: Reply): void {
  const endpoint = endpointOf(line)
  const wrong = (why: string) =>
    new Error(`${line} answered ${reply.status} against the contract: ${why}\n${reply.text.slice(0, 2000)}`)
  if ((reply.headers.get('x-request-id') ?? '') === '') throw wrong('it names no request')
  if (reply.status >= 400) {
    if (isRefusalPage(endpoint, reply)) return
    const problem = problemOfRefusal(endpoint, reply)
    if (problem !== undefined) throw wrong(problem)
    return
  }
  if (reply.status !== endpoint.status) throw wrong(`it should be ${endpoint.status}`)
  if (endpoint.media !== 'application/json') return
  if (reply.headers.get('content-type') !== 'application/json; charset=utf-8') throw wrong('not sent as JSON')
  const check = checkOf(endpoint.reply)
  if (!check(reply.body)) throw wrong(ajv.errorsText(check.errors))
}

/** Throws unless an event of a merchant's stream fits the contract. */
export function checkEvent(name: string, data: unknown): void {
  if (!Object.hasOwn(streamEvents, name)) throw new Error(`${name} is no event of the contract`)
  const check = checkOf(streamEvents[name as StreamEventName])
  if (!check(data))
    throw new Error(`The event ${name} is against the contract: ${ajv.errorsText(check.errors)}`)
}

/** A customer's browser, which shows a page or sends its form, is refused in words on a page. */
function isRefusalPage({ media, isForm }: Endpoint, { headers, text }: Reply): boolean {
  const isForBrowser = media === 'text/html' || isForm
  return (
    isForBrowser &&
    headers.get('content-type') === 'text/html; charset=utf-8' &&
    /^<!doctype html>.*<h1>[^<]+<\/h1>/s.test(text)
  )
}

function problemOfRefusal(endpoint: Endpoint, { status, headers, body }: Reply): string | undefined {
  if (typeof body !== 'object' || body === null) return 'a refusal is a JSON object'
  const { message, code, errors, ...more } = body as Record<string, unknown>
  if (typeof message !== 'string' || message === '') return 'a refusal has a message'
  if (typeof code !== 'string' || !(code in refusals)) return `${String(code)} is no code of the contract`
  const known = code as RefusalCode
  if (refusals[known].status !== status) return `${code} goes with ${refusals[known].status}`
  const listed = [
    ...common,
    ...endpoint.refusals,
    ...('idempotency-key' in endpoint.headers ? ofIdempotentCalls : []),
  ]
  if (!listed.includes(known)) return `${code} is not among the refusals of this call`
  const form = problemBodyOf(endpoint, known)
  // A refused purchase of labels lists the carrier's words, of which there may be none (GAP-117).
  if (form !== LabelRefusal && errors !== undefined && !isFieldMap(errors) && !isMessageList(errors))
    return 'errors maps fields to sentences, or lists them'
  if (typeof more['title'] !== 'string' || more['title'] === '') return 'a refusal has a title'
  const facts = { type: problemType(code), status, detail: message, instance: headers.get('x-request-id') }
  for (const [field, value] of Object.entries(facts))
    if (more[field] !== value) return `${field} should be ${String(value)}`
  const check = checkOf(form)
  return check(body) ? undefined : ajv.errorsText(check.errors)
}

/** The form of errors for couriers and labels (GAP-156). */
function isMessageList(errors: unknown): boolean {
  return (
    Array.isArray(errors) &&
    errors.length > 0 &&
    errors.every((entry) => typeof (entry as { message?: unknown } | null)?.message === 'string')
  )
}

function isFieldMap(errors: unknown): boolean {
  return (
    typeof errors === 'object' &&
    errors !== null &&
    !Array.isArray(errors) &&
    Object.values(errors).every((sentence) => typeof sentence === 'string' && sentence !== '')
  )
}
