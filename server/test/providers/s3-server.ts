import { createHash, createHmac } from 'node:crypto'
import type { S3Settings } from '../../src/platform/files/s3-store.ts'
import {
  startLoopback,
  type Loopback,
  type LoopbackAnswer,
  type LoopbackRequest,
} from '../processes/loopback.ts'

interface StoredObject {
  bytes: Buffer
  readonly meta: Record<string, string>
  readonly type: string
}

export interface S3Server extends Loopback {
  readonly settings: S3Settings
  /** By path, bucket first. */
  readonly objects: Map<string, StoredObject>
  /** Moves time on for the store alone. */
  later(seconds: number): void
}

const secret = 'secret-of-the-bucket'
const skewSeconds = 900

/** A store that speaks S3 and accepts only signed requests, by header or by link. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, StoredObject>()
  let lateSeconds = 0
  const nowSeconds = () => Date.now() / 1000 + lateSeconds
  const loopback = await startLoopback((request) =>
    isSigned(request, nowSeconds()) ? answer(objects, request) : failure(403, 'SignatureDoesNotMatch'),
  )
  const endpoint = `${loopback.url}/desk-files`
  return {
    ...loopback,
    objects,
    settings: {
      endpoint,
      publicEndpoint: endpoint.replace('127.0.0.1', 'localhost'),
      region: 'us-east-1',
      accessKeyId: 'desk',
      secretAccessKey: secret,
    },
    later: (seconds) => void (lateSeconds = seconds),
  }
}

function answer(objects: S3Server['objects'], request: LoopbackRequest): LoopbackAnswer {
  const { method, path, query, headers, bytes } = request
  if (method === 'PUT') {
    const meta = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'))
    objects.set(path, { bytes, meta: Object.fromEntries(meta) as never, type: headers['content-type'] ?? '' })
    return { headers: { etag: '"x"' } }
  }
  if (method === 'DELETE') {
    objects.delete(path)
    return { status: 204 }
  }
  const found = objects.get(path)
  if (found === undefined) return failure(404, 'NoSuchKey')
  const disposition = query.get('response-content-disposition')
  return {
    bytes: found.bytes,
    headers: {
      ...found.meta,
      etag: '"x"',
      'content-type': query.get('response-content-type') ?? found.type,
      ...(disposition !== null && { 'content-disposition': disposition }),
    },
  }
}

function failure(status: number, code: string): LoopbackAnswer {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  return { status, text, headers: { 'content-type': 'application/xml' } }
}

interface Claim {
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly date: string
  readonly payload: string
  readonly expiresSeconds: number
}

/** Checks Signature Version 4 from the received request and the secret alone. */
function isSigned(request: LoopbackRequest, nowSeconds: number): boolean {
  const claim = claimOf(request)
  if (claim === undefined) return false
  const { credential, signedHeaders, signature, date, payload, expiresSeconds } = claim
  const [key, day = '', region = '', service = ''] = credential.split('/')
  const names = signedHeaders.split(';')
  const mustBeSigned = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))]
  if (key !== 'desk' || mustBeSigned.some((name) => !names.includes(name))) return false
  const age = nowSeconds - Date.parse(date.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5')) / 1000
  if (!(age > -skewSeconds && age < expiresSeconds)) return false
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')]
  const signingKey = scope
    .split('/')
    .reduce<Buffer | string>(
      (last, part) => createHmac('sha256', last).update(part).digest(),
      `AWS4${secret}`,
    )
  return createHmac('sha256', signingKey).update(text.join('\n')).digest('hex') === signature
}

function claimOf({ headers, query }: LoopbackRequest): Claim | undefined {
  const given = /Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)/.exec(
    headers.authorization ?? '',
  )
  if (given !== null) {
    const [, credential = '', signedHeaders = '', signature = ''] = given
    const date = String(headers['x-amz-date'])
    const payload = String(headers['x-amz-content-sha256'])
    return { credential, signedHeaders, signature, date, payload, expiresSeconds: skewSeconds }
  }
  const signature = query.get('X-Amz-Signature')
  if (signature === null) return undefined
  const of = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  return {
    credential: of('Credential'),
    signedHeaders: of('SignedHeaders'),
    signature,
    date: of('Date'),
    payload: 'UNSIGNED-PAYLOAD',
    expiresSeconds: Number(of('Expires')),
  }
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
}

const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
