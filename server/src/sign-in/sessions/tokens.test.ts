import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { holdRows } from '../../../test/database/held-rows.ts'
import { mailedToken } from '../../../test/providers/mailbox.ts'

let desk: Desk
let shop: Shop
let person: Person
let claims: Record<string, unknown>
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  person = shop.owner
  claims = decodeJwt(person.token)
})
afterAll(async () => desk.stop())

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function sign(
  changes: Record<string, unknown>,
  { secret = desk.config.sessionSecret, header = {} } = {},
) {
  const payload = Object.fromEntries(
    Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== undefined),
  )
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(createSecretKey(secret, 'utf8'))
}

async function expectRefused(authorization: string): Promise<void> {
  const answers = await Promise.all([
    desk.call('GET /a/v2/sessions', { as: authorization }),
    desk.call('GET /c/v2/merchants/{tmk}', { as: authorization, params: { tmk: shop.key } }),
  ])
  for (const answer of answers)
    expect([authorization.slice(0, 60), answer.status, answer.refusal.code]).toEqual([
      authorization.slice(0, 60),
      401,
      'unauthorized',
    ])
}

test('AUTH-016 GAP-43 a session is a signed token about the user, for twelve hours', async () => {
  expect(decodeProtectedHeader(person.token)).toEqual({ alg: 'HS256' })
  expect(claims).toMatchObject({
    sub: person.id,
    type: 'session',
    iss: 'cellarhand',
    aud: 'cellarhand-dashboard',
  })
  // The second may change between the session and its token.
  expect([12 * 3600 - 1, 12 * 3600]).toContain(Number(claims['exp']) - Number(claims['iat']))
})

test('the token that this test makes is valid, so that the next tests mean something', async () => {
  const answer = await desk.call('GET /a/v2/sessions', { as: `Bearer ${await sign({})}` })
  expect(answer.status).toBe(200)
})

describe('API-002 AUTH-027 a token is refused', () => {
  test.each(['none', 'None', 'NONE', 'nOnE'])('without a signature (alg %s)', async (alg) => {
    const body = person.token.split('.')[1] ?? ''
    const signature = person.token.split('.')[2] ?? ''
    for (const end of ['', signature]) await expectRefused(`Bearer ${encode({ alg })}.${body}.${end}`)
    await expectRefused(`Bearer ${new UnsecuredJWT(claims).encode()}`)
  })

  test('signed by another algorithm, with the secret as its key', async () => {
    const key = createSecretKey(desk.config.sessionSecret.padEnd(64, 'x'), 'utf8')
    for (const alg of ['HS384', 'HS512'])
      await expectRefused(`Bearer ${await new SignJWT(claims).setProtectedHeader({ alg }).sign(key)}`)
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (const alg of ['RS256', 'PS256'])
      await expectRefused(`Bearer ${await new SignJWT(claims).setProtectedHeader({ alg }).sign(privateKey)}`)
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    for (const secret of [pem, ` ${pem}`, `\n${pem}`])
      await expectRefused(`Bearer ${await sign({}, { secret })}`)
  })

  test('that brings its own key, or names a place to find one', async () => {
    const secret = 'a-secret-of-the-attacker-of-32-bytes'
    const jwk = { kty: 'oct', k: Buffer.from(secret).toString('base64url') }
    for (const header of [
      { jwk },
      { kid: '../../dev/null' },
      { kid: "' or 1=1" },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example/x' },
    ])
      await expectRefused(`Bearer ${await sign({}, { secret, header })}`)
    for (const empty of ['\0', ' '.repeat(32)])
      await expectRefused(`Bearer ${await sign({}, { secret: empty })}`)
  })

  test('for another issuer, audience, purpose, user or session', async () => {
    const changes: Record<string, unknown>[] = [
      { iss: 'elsewhere' },
      { iss: undefined },
      { aud: 'cellarhand-marketplace' },
      { aud: undefined },
      { type: 'handover' },
      { type: 'reset' },
      { type: undefined },
      { sub: shop.member.id },
      { sub: undefined },
      { sub: '' },
      { jti: undefined },
      { jti: 'no-such-session' },
      { jti: decodeJwt(shop.member.token).jti },
    ]
    for (const change of changes) await expectRefused(`Bearer ${await sign(change)}`)
  })

  test('that has expired, never expires, or is not valid yet', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const change of [{ exp: now - 1 }, { exp: 0 }, { exp: undefined }, { nbf: now + 3600 }])
      await expectRefused(`Bearer ${await sign(change)}`)
  })

  test('with any one of its characters changed', async () => {
    const { token } = person
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let at = 0; at < token.length; at++) {
      if (token[at] === '.') continue
      // The highest of a character's six bits, because the lowest of a part's last character may have no meaning.
      const flipped = alphabet[alphabet.indexOf(token[at] ?? '') ^ 32] ?? ''
      const answer = await desk.call('GET /a/v2/sessions', {
        as: `Bearer ${token.slice(0, at)}${flipped}${token.slice(at + 1)}`,
      })
      expect([at, answer.status]).toEqual([at, 401])
    }
  })

  test('that is no token', async () => {
    const parts = person.token.split('.')
    for (const text of [
      '',
      'x',
      '..',
      '.',
      parts[0] ?? '',
      parts.slice(0, 2).join('.'),
      `${person.token}.x`,
      'x'.repeat(8000),
      'eyJhbGciOiJIUzI1NiJ9.W10.x',
      'null.null.null',
    ])
      await expectRefused(`Bearer ${text}`)
    for (const header of [
      person.token,
      `Token ${person.token}`,
      `Bearer  ${person.token} x`,
      `Basic ${person.token}`,
    ])
      await expectRefused(header)
  })
})

describe('G19 other things that somebody may present as a token', () => {
  test('mailed or handed-over links, secrets and ids are none', async () => {
    await desk.call('POST /a/v2/accounts/password_token', {
      as: applicationCredential,
      body: { email: person.email },
    })
    const handOver = await desk.call('POST /marketplace/v1/handover', {
      as: marketplaceCredential,
      body: { user: person.email, merchant: shop.key },
    })
    const jwt = new URL(handOver.body.url).searchParams.get('jwt') ?? ''
    const { jti } = claims
    for (const text of [
      await mailedToken(desk, person.email),
      String(jti),
      person.id,
      desk.config.sessionSecret,
    ])
      await expectRefused(`Bearer ${text}`)
    // A hand-over token works only for the token login.
    const look = await desk.call('GET /c/v2/merchants/{tmk}', {
      as: `Bearer ${jwt}`,
      params: { tmk: shop.key },
    })
    expect(look.status).toBe(401)
    for (const as of [applicationCredential, marketplaceCredential]) await expectRefused(as)
  })

  test('a token in the address or the body is ignored', async () => {
    for (const query of ['jwt', 'token', 'access_token', 'authorization']) {
      const answer = await desk.send('GET', `/c/v2/merchants/${shop.key}?${query}=${person.token}`)
      expect([query, answer.status]).toEqual([query, 401])
    }
    const answer = await desk.send('POST', '/a/v2/logout', { body: { token: person.token } })
    expect(answer.status).toBe(401)
  })

  test('of two Authorization headers neither counts', async () => {
    const { hostname, port } = new URL(desk.url)
    const ask = async (headers: readonly string[]) => {
      const socket = connect(Number(port), hostname)
      socket.write(
        ['GET /a/v2/sessions HTTP/1.1', `Host: ${hostname}`, 'Connection: close', ...headers, '', ''].join(
          '\r\n',
        ),
      )
      return (await text(socket)).split(' ')[1]
    }
    const bearer = (token: string) => `Authorization: Bearer ${token}`
    expect(await ask([bearer(person.token)])).toBe('200')
    for (const pair of [
      [person.token, shop.member.token],
      [person.token, 'x'],
      ['x', person.token],
    ])
      expect(await ask(pair.map(bearer))).toBe('401')
  })

  test('one that is huge, or deeply nested, is refused and harms nobody', async () => {
    for (const payload of ['['.repeat(4_000), `{"sub":${'{"a":'.repeat(1_000)}`])
      await expectRefused(
        `Bearer ${encode({ alg: 'HS256' })}.${Buffer.from(payload).toString('base64url')}.x`,
      )
    const { hostname, port } = new URL(desk.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(
      `GET /a/v2/sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'x'.repeat(1_000_000)}\r\n\r\n`,
    )
    const status = (await text(socket).catch(() => '')).split(' ')[1]
    expect([undefined, '413', '431']).toContain(status)
    expect((await desk.call('GET /a/v2/sessions', { as: person })).status).toBe(200)
  })
})

test('GAP-43 a session that has ended or expired in the database is over, regardless of its token', async () => {
  const someone = await desk.addPerson(shop.key, 'merch.user')
  const look = async () =>
    (await desk.call('GET /c/v2/merchants/{tmk}', { as: someone, params: { tmk: shop.key } })).status
  expect(await look()).toBe(200)
  await desk.owner.query('update sessions set expires_at = now() where user_id = $1', [someone.id])
  expect(await look()).toBe(401)
  await desk.owner.query(`update sessions set expires_at = now() + interval '1 hour' where user_id = $1`, [
    someone.id,
  ])
  expect(await look()).toBe(200)
  await desk.owner.query('delete from users where user_id = $1', [someone.id])
  expect(await look()).toBe(401)
})

test('GAP-43 a token that was accepted before is refused after it has expired, even when its session was renewed for longer', async () => {
  const exp = Math.floor(Date.now() / 1000) + 3600
  const older = `Bearer ${await sign({ exp })}`
  expect((await desk.call('GET /a/v2/sessions', { as: older })).status).toBe(200)
  vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 + 1 })
  try {
    await expectRefused(older)
    expect((await desk.call('GET /a/v2/sessions', { as: person })).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})

test('a session renews itself until thirty days after its sign-in, and no longer', async () => {
  const someone = await desk.addPerson(shop.key, 'merch.user')
  const { rows } = await desk.owner.query<{ last: number }>(
    `update sessions set created_at = now() - interval '29 days 23 hours' where user_id = $1
     returning extract(epoch from created_at + interval '30 days')::float8 as last`,
    [someone.id],
  )
  const { body } = await desk.call('GET /a/v2/sessions', { as: someone })
  expect(decodeJwt(body.token).exp).toBe(Math.floor(rows[0]?.last ?? 0))
})

test('a session that ends while it is being renewed is over', async () => {
  const someone = await desk.addPerson(shop.key, 'merch.user')
  const held = await holdRows(desk, 'select from sessions where user_id = $1 for update', [someone.id])
  const late = desk.call('GET /a/v2/sessions', { as: someone })
  await held.waiting(1)
  await held.query('update sessions set ended_at = now() where user_id = $1', [someone.id])
  await held.release()
  expect((await late).status).toBe(401)
})

test('G20 a revoked role or merchant counts at the next request', async () => {
  const someone = await desk.addPerson(shop.key, 'merch.manager')
  const look = async () =>
    (await desk.call('GET /c/v2/merchants/{tmk}', { as: someone, params: { tmk: shop.key } })).status
  expect(await look()).toBe(200)
  await desk.owner.query(`update users set roles = '{}' where user_id = $1`, [someone.id])
  expect(await look()).toBe(403)
  await desk.owner.query(`update users set roles = '{merch.user}', merchant_id = null where user_id = $1`, [
    someone.id,
  ])
  expect(await look()).toBe(403)
})
