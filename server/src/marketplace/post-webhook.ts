import { createHmac } from 'node:crypto'
import { lookup, type LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Clock } from '#platform/clock/clock.ts'
import { readRetryAfter } from '#platform/outside/retry-after.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

export interface WebhookMessage {
  readonly url: URL
  /** Each whsec_ and the key in base64: the present one, and during a rotation the one before. */
  readonly secrets: readonly string[]
  /** The same at every try, so that a receiver recognises a repetition. */
  readonly id: string
  /** Of the event among all events, for a receiver that wants to read on from there. */
  readonly position: number
  readonly body: string
}

export interface PostLimits {
  readonly clock: Clock
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number
  readonly allowLoopback: boolean
  readonly signal?: AbortSignal
}

export interface WebhookAnswer {
  readonly status: number
  /** The receiver's wish, in milliseconds from now. */
  readonly retryAfterMs: number | undefined
}

const answerLimitBytes = 64 * 1024

/**
 * One POST by Standard Webhooks. It connects only to the checked addresses and follows no redirect. Without an answer
 * it throws an error with a sentence for the record.
 */
export async function postWebhook(message: WebhookMessage, limits: PostLimits): Promise<WebhookAnswer> {
  const timeout = limits.clock.limit(limits.timeoutMs)
  const signal = limits.signal === undefined ? timeout : AbortSignal.any([timeout, limits.signal])
  try {
    const addresses = await orAborted(findAddresses(message.url, limits.allowLoopback), signal)
    return await post(message, addresses, { clock: limits.clock, signal })
  } catch (error) {
    if (timeout.aborted) throw new Error(`No answer within ${limits.timeoutMs} ms`, { cause: error })
    throw error
  }
}

/** https://www.standardwebhooks.com: HMAC-SHA256 of id, time and body. */
export function signWebhook(
  secret: string,
  content: { id: string; timestamp: number; body: string },
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const text = `${content.id}.${content.timestamp}.${content.body}`
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}

/** Every address of the host must be public, because any of them may get the call. */
async function findAddresses(url: URL, allowLoopback: boolean): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const addresses = family === 0 ? await resolveHost(host) : [{ address: host, family }]
  const refused = addresses.find(
    ({ address }) =>
      !(allowLoopback && isLoopbackAddress(address)) &&
      (url.protocol !== 'https:' || !isPublicAddress(address)),
  )
  if (addresses.length === 0) throw new Error(`${host} has no address`)
  if (refused !== undefined)
    throw new Error(`${host} is at ${refused.address}, which is not a public https address`)
  return addresses
}

function resolveHost(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)))
  })
}

/** The system's look-up cannot be cancelled, but the caller stops waiting for it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function post(
  { url, secrets, id, position, body }: WebhookMessage,
  addresses: LookupAddress[],
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<WebhookAnswer> {
  const timestamp = Math.floor(clock.nowMs() / 1000)
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    agent: false,
    lookup: alwaysThese(addresses),
    signal,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Cellarhand-Webhooks/1',
      'webhook-id': id,
      'webhook-position': String(position),
      'webhook-timestamp': String(timestamp),
      // A receiver takes the event if one of the signatures is good.
      'webhook-signature': secrets.map((secret) => signWebhook(secret, { id, timestamp, body })).join(' '),
    },
  })
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const answer = {
        status: response.statusCode ?? 0,
        retryAfterMs: readRetryAfter(response.headers['retry-after'], clock.nowMs()),
      }
      let read = 0
      response.on('data', (chunk: Buffer) => {
        read += chunk.length
        if (read <= answerLimitBytes) return
        // The status says all that matters, so the server does not read on.
        resolve(answer)
        response.destroy()
      })
      response.on('end', () => resolve(answer))
      response.on('error', reject)
      response.on('close', () => reject(new Error('The answer broke off')))
    })
    request.end(body)
  })
}

function alwaysThese(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
}
