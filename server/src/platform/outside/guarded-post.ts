import { lookup, type LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Clock } from '../clock/clock.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'
import { readRetryAfter } from './retry-after.ts'

/** A POST to an address that somebody outside has named. */
export interface OutsidePost {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface PostLimits {
  readonly clock: Clock
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number
  readonly allowLoopback: boolean
  readonly signal?: AbortSignal
}

export interface PostAnswer {
  readonly status: number
  /** The receiver's wish, in milliseconds from now. */
  readonly retryAfterMs: number | undefined
}

const answerLimitBytes = 64 * 1024

/**
 * Connects only to the checked addresses and follows no redirect. Without an answer it throws an error with a sentence
 * for the record.
 */
export async function postGuarded(message: OutsidePost, limits: PostLimits): Promise<PostAnswer> {
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
  { url, headers, body }: OutsidePost,
  addresses: LookupAddress[],
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<PostAnswer> {
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    agent: false,
    lookup: alwaysThese(addresses),
    signal,
    headers: { 'content-length': Buffer.byteLength(body), ...headers },
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
