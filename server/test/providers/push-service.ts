import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, jwtVerify } from 'jose'

const curve = 'prime256v1'

/** A device as its browser knows it. */
export interface PushReceiver {
  readonly path: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** By RFC 8291, with nothing of the code that encrypts. */
  decrypt(body: Buffer): string
}

export function newReceiver(given?: { privateKey: string; auth: string }): PushReceiver {
  const ecdh = createECDH(curve)
  if (given === undefined) ecdh.generateKeys()
  else ecdh.setPrivateKey(given.privateKey, 'base64url')
  const auth = given === undefined ? randomBytes(16) : Buffer.from(given.auth, 'base64url')
  const own = ecdh.getPublicKey()
  return {
    path: `/push/${randomBytes(24).toString('base64url')}`,
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(body) {
      const salt = body.subarray(0, 16)
      const idLength = body.readUInt8(20)
      const sender = body.subarray(21, 21 + idLength)
      const sealed = body.subarray(21 + idLength)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
      const secret = hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32)
      const derive = (name: string, length: number) =>
        Buffer.from(
          hkdfSync('sha256', Buffer.from(secret), salt, Buffer.from(`Content-Encoding: ${name}\0`), length),
        )
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      decipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      const end = padded.lastIndexOf(2)
      return padded.subarray(0, end).toString('utf8')
    },
  }
}

export interface PushedMessage {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

type Answer = number | Promise<number> | { readonly status: number; readonly retryAfter: number }

/** A push service of RFC 8030 on this machine. */
export interface PushService {
  readonly origin: string
  readonly received: PushedMessage[]
  /** The next answers to messages for this device in their order; then 201. */
  answer(receiver: Pick<PushReceiver, 'path'>, ...statuses: readonly Answer[]): void
  /** Of the VAPID token, once its signature by the key beside it is proven (RFC 8292). */
  claimsOf(message: PushedMessage): Promise<{ key: string; aud: unknown; exp: number; sub: unknown }>
  stop(): void
}

export async function openPushService(): Promise<PushService> {
  const received: PushedMessage[] = []
  const answers = new Map<string, Answer[]>()
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      const next = await (answers.get(request.url ?? '')?.shift() ?? 201)
      if (typeof next === 'number') response.writeHead(next).end()
      else response.writeHead(next.status, { 'retry-after': String(next.retryAfter) }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    received,
    answer: ({ path }, ...statuses) => void answers.set(path, [...statuses]),
    async claimsOf({ headers }) {
      const [, token = '', key = ''] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
      const point = Buffer.from(key, 'base64url')
      const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
      const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x, y } as never, 'ES256')
      const { payload } = await jwtVerify(token, publicKey, { algorithms: ['ES256'] })
      return { key, aud: payload.aud, exp: payload.exp ?? 0, sub: payload.sub }
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
