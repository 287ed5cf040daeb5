import { Secret } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { listen } from '../../../test/event-reader.ts'
import { codeOf } from '../../../test/one-time-code.ts'

let desk: Desk
let shop: Shop
let person: Person
beforeAll(async () => {
  desk = await openDesk({ TRUST_PROXY: '1' })
  shop = await desk.openShop()
})
beforeEach(async () => {
  person = await desk.addPerson(shop.key, 'merch.user')
})
afterAll(async () => desk.stop())

interface App {
  readonly secret: string
  /** The code of the present step, or of that many steps later. */
  code(steps?: number): string
  readonly recoveryCodes: readonly string[]
}

const codes =
  (secret: string) =>
  (steps = 0) =>
    codeOf(secret, steps)

const start = async (as = person, secret = password) =>
  desk.call('POST /a/v2/users/{id}/two_step', { as, params: { id: as.id }, body: { password: secret } })
const confirm = async (code: string, as = person) =>
  desk.call('POST /a/v2/users/{id}/two_step/confirmation', { as, params: { id: as.id }, body: { code } })
const disable = async (code: string, { as = person, secret = password } = {}) =>
  desk.call('POST /a/v2/users/{id}/two_step/removal', {
    as,
    params: { id: as.id },
    body: { password: secret, code },
  })
const state = async (as = person) =>
  (await desk.call('GET /a/v2/users/{id}/two_step', { as, params: { id: as.id } })).body
const signIn = async (code?: string, { email = person.email, secret = password, from = '127.0.0.1' } = {}) =>
  desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    headers: { 'x-forwarded-for': from },
    body: { email, password: secret, ...(code === undefined ? {} : { code }) },
  })

/** Sets the second step up, then clears the server's memory of used codes. */
async function turnOn(as = person): Promise<App> {
  const { secret } = (await start(as)).body
  const code = codes(secret)
  const { body } = await confirm(code(), as)
  await desk.owner.query('update users set two_step_last_counter = 0 where user_id = $1', [as.id])
  return { secret, code, recoveryCodes: body.recovery_codes }
}

describe('setting it up', () => {
  test('a secret, a first code, ten recovery codes; other sessions end', async () => {
    const elsewhere = (await signIn()).body.token
    const begun = await start()
    expect(begun.status).toBe(201)
    expect(begun.body.otpauth_url).toBe(
      `otpauth://totp/Thirstie:${encodeURIComponent(person.email)}?issuer=Thirstie&secret=${begun.body.secret}&algorithm=SHA1&digits=6&period=30`,
    )
    // 20 bytes in Base32.
    expect(begun.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(await state()).toEqual({ is_on: false, is_required: false, recovery_codes_left: 0 })
    // The sign-in asks for no code before it is confirmed.
    const before = (await signIn()).body.token
    const confirmed = await confirm(` ${codes(begun.body.secret)().replace(/^.../, '$& ')} `)
    expect(confirmed.status).toBe(200)
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10)
    for (const code of confirmed.body.recovery_codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    expect(await state()).toEqual({ is_on: true, is_required: false, recovery_codes_left: 10 })
    for (const token of [elsewhere, before])
      expect((await desk.call('GET /a/v2/sessions', { as: `Bearer ${token}` })).status).toBe(401)
    expect((await start()).refusal.code).toBe('two_step_on')
    expect((await confirm('123456')).refusal.code).toBe('two_step_on')
  })

  test('needs the password and a right code', async () => {
    const answer = await start(person, 'not the password')
    expect([answer.status, answer.refusal.errors]).toEqual([
      400,
      { password: 'Your current password is incorrect' },
    ])
    expect((await confirm('123456')).refusal.errors).toEqual({
      code: 'That code is not right, or was used already',
    })
    const { secret } = (await start()).body
    expect((await confirm(codes(secret)(5))).status).toBe(400)
    const { secret: later } = (await start()).body
    expect((await confirm(codes(secret)())).status).toBe(400)
    expect((await confirm(codes(later)())).status).toBe(200)
  })

  test('G21 the stored secret is sealed and the stored recovery codes are hashed', async () => {
    const { secret, recoveryCodes } = await turnOn()
    const raw = Buffer.from(Secret.fromBase32(secret).bytes)
    const { rows } = await desk.owner.query<{ text: string }>(
      `select u::text as text from users u where user_id = $1 union all select c::text from recovery_codes c where user_id = $1`,
      [person.id],
    )
    expect(rows).toHaveLength(11)
    const all = rows.map(({ text }) => text).join('\n')
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(all).not.toContain(raw.toString(encoding))
    for (const shown of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(all).not.toContain(shown)
  })
})

describe('signing in', () => {
  test('is as before for people without it; a code that comes along is ignored', async () => {
    expect([(await signIn()).status, (await signIn('123456')).status]).toEqual([201, 201])
  })

  test('asks for a code only after the right password, and takes it', async () => {
    const { code } = await turnOn()
    for (const missing of [undefined, '', ' ']) {
      const asked = await signIn(missing)
      expect([asked.status, asked.refusal.code]).toEqual([401, 'second_step_required'])
      expect(asked.text).not.toContain('token')
    }
    expect((await signIn(undefined, { secret: 'not the password' })).refusal.code).toBe('bad_credentials')
    expect((await signIn(code(), { secret: 'not the password' })).refusal.code).toBe('bad_credentials')
    const { status, body } = await signIn(code())
    expect(status).toBe(201)
    const look = await desk.call('GET /c/v2/merchants/{tmk}', {
      as: `Bearer ${body.token}`,
      params: { tmk: shop.key },
    })
    expect(look.status).toBe(200)
  })

  test('takes no code twice, nor an earlier one, even ten at once', async () => {
    const { code } = await turnOn()
    const now = code()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => signIn(now)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401])
    await desk.owner.query('delete from rate_limits')
    for (const used of [now, code(-1)]) expect((await signIn(used)).refusal.code).toBe('bad_second_step')
  })

  test('takes the code of a clock that is half a minute off, and no more', async () => {
    const { code } = await turnOn()
    // Not at the very end of a step, because the checks below have to run in the step of their codes.
    const leftMs = 30_000 - (Date.now() % 30_000)
    if (leftMs < 15_000) await new Promise((resolve) => setTimeout(resolve, leftMs))
    // Of the last two, a later step says the same.
    const [before, after, now] = [code(-1), code(1), code()]
    const tooFar = await Promise.all([-2, 2].map(async (steps) => signIn(code(steps))))
    const taken = [await signIn(before), await signIn(after), await signIn(now)]
    expect([...tooFar, ...taken].map(({ status }) => status)).toEqual([401, 401, 201, 201, 401])
  })

  test('a recovery code works once, in any spelling, and only for its owner', async () => {
    const { recoveryCodes } = await turnOn()
    const [first = '', second = ''] = recoveryCodes
    const other = await desk.addPerson(shop.key, 'merch.user')
    await turnOn(other)
    expect((await signIn(first, { email: other.email })).refusal.code).toBe('bad_second_step')
    const answers = await Promise.all([1, 2, 3].map(() => signIn(first)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401])
    expect((await signIn(` ${second.toLowerCase().replaceAll('-', ' ')}`)).status).toBe(201)
    expect((await state()).recovery_codes_left).toBe(8)
  })

  test('GAP-46 five wrong codes in 15 minutes block it at every server, even for the right one', async () => {
    const { code } = await turnOn()
    const wrong = code() === '000000' ? '000001' : '000000'
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(wrong)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const second = await desk.another()
    const refused = await second.call('POST /a/v2/sessions', {
      as: applicationCredential,
      body: { email: person.email, password, code: code() },
    })
    expect([refused.status, Number(refused.headers.get('retry-after')) > 600]).toEqual([429, true])
    await desk.owner.query('update rate_limits set resets_at = now()')
    expect((await signIn(code())).status).toBe(201)
  })

  test('SEC-14 wrong codes of somebody who has the password lock out neither a recovery code nor a known network', async () => {
    const { code, recoveryCodes } = await turnOn()
    const wrong = code() === '000000' ? '000001' : '000000'
    for (let count = 0; count < 6; count++) await signIn(wrong, { from: '198.51.100.1' })
    expect((await signIn(code(), { from: '203.0.113.1' })).status).toBe(429)
    expect((await signIn(recoveryCodes[0], { from: '203.0.113.1' })).status).toBe(201)
    for (let count = 0; count < 6; count++) await signIn(wrong, { from: '198.51.100.1' })
    expect((await signIn(code())).status).toBe(201)
    expect((await signIn('ABCD-EFGH-JKLM-NPQR', { from: '198.51.100.1' })).refusal.code).toBe(
      'bad_second_step',
    )
  })

  test('SEC-14 a hundred wrong codes in a row close the codes of the app, and a recovery code opens them again', async () => {
    const { code, recoveryCodes } = await turnOn()
    const wrong = code() === '000000' ? '000001' : '000000'
    for (let round = 0; round < 21; round++) {
      for (let count = 0; count < 5; count++) await signIn(wrong, { from: `198.51.100.${round}` })
      await desk.owner.query("update rate_limits set resets_at = now() where limit_key like 'second-step:%'")
    }
    expect((await signIn(code(), { from: '203.0.113.9' })).status).toBe(429)
    expect((await signIn(recoveryCodes[0], { from: '203.0.113.9' })).status).toBe(201)
    await desk.owner.query('update users set two_step_last_counter = 0 where user_id = $1', [person.id])
    expect((await signIn(code(), { from: '203.0.113.9' })).status).toBe(201)
  }, 180_000)

  test('a secret that cannot be opened any more, after a change of SESSION_SECRET, is a wrong code; recovery codes work', async () => {
    const { code, recoveryCodes } = await turnOn()
    await desk.owner.query('update users set two_step_secret_sealed = $2 where user_id = $1', [
      person.id,
      'A'.repeat(80),
    ])
    expect((await signIn(code())).refusal.code).toBe('bad_second_step')
    expect((await signIn(recoveryCodes[0])).status).toBe(201)
  })

  test('a new password by mail keeps the second step on', async () => {
    await turnOn()
    await desk.call('POST /a/v2/accounts/password_token', {
      as: applicationCredential,
      body: { email: person.email },
    })
    const { body } = await desk.call('GET /demo/outbox.json')
    await desk.call('POST /a/v2/accounts/password', {
      as: applicationCredential,
      body: { new_password: 'another password', reset_token: body.items[0]?.links[0]?.split('/').at(-1) },
    })
    expect((await signIn(undefined, { secret: 'another password' })).refusal.code).toBe(
      'second_step_required',
    )
  })
})

describe('afterwards', () => {
  test('new recovery codes end the earlier ones', async () => {
    const { code, recoveryCodes } = await turnOn()
    const renew = async (given: string, secret = password) =>
      desk.call('POST /a/v2/users/{id}/two_step/recovery_codes', {
        as: person,
        params: { id: person.id },
        body: { password: secret, code: given },
      })
    expect((await renew('000')).status).toBe(400)
    expect((await renew(code(), 'not the password')).status).toBe(400)
    const { body } = await renew(code())
    expect(body.recovery_codes).toHaveLength(10)
    expect((await signIn(recoveryCodes[0])).status).toBe(401)
    expect((await signIn(body.recovery_codes[0])).status).toBe(201)
  })

  test('password and code turn it off; a stolen session cannot', async () => {
    const { code, recoveryCodes } = await turnOn()
    expect((await disable('000000')).status).toBe(400)
    expect((await disable(code(), { secret: 'not the password' })).status).toBe(400)
    expect((await state()).is_on).toBe(true)
    expect((await disable(recoveryCodes[0] ?? '')).status).toBe(200)
    expect(await state()).toEqual({ is_on: false, is_required: false, recovery_codes_left: 0 })
    expect((await signIn()).status).toBe(201)
    expect((await disable(code())).refusal.code).toBe('two_step_off')
  })
})

describe('SEC-14 a new password or e-mail', () => {
  const save = async (changes: object) =>
    desk.call('POST /a/v2/users/{id}', { as: person, params: { id: person.id }, body: changes })
  const newPassword = { password, new_password: 'another password' }

  test('takes a code beside the password; names and phone take none', async () => {
    const { code, recoveryCodes } = await turnOn()
    const email = `new-${person.email}`
    for (const changes of [newPassword, { password, email }, { ...newPassword, code: ' ' }]) {
      const asked = await save(changes)
      expect([asked.status, asked.refusal.code, asked.refusal.errors]).toEqual([
        400,
        'validation_failed',
        { code: 'Please enter the code of your authenticator app.' },
      ])
      const wrong = await save({ ...changes, code: 'not a code' })
      expect([wrong.status, wrong.refusal.errors]).toEqual([
        400,
        { code: 'That code is not right, or was used already' },
      ])
    }
    expect((await save({ password: 'not the password', email, code: code() })).refusal.errors).toEqual({
      password: 'Your current password is incorrect',
    })
    expect((await save({ first_name: 'Ada', phone_number: '2125550123' })).status).toBe(200)
    const once = code()
    expect((await save({ password, email, code: once })).body.email).toBe(email)
    expect((await save({ ...newPassword, code: once })).status).toBe(400)
    expect((await save({ ...newPassword, code: recoveryCodes[0] })).status).toBe(200)
    expect((await signIn(recoveryCodes[1], { email, secret: 'another password' })).status).toBe(201)
  })

  test('GAP-46 five wrong codes close it for 15 minutes, and leave signing in open', async () => {
    const { code } = await turnOn()
    const wrong = code() === '000000' ? '000001' : '000000'
    const guesses = await Promise.all(Array.from({ length: 7 }, () => save({ ...newPassword, code: wrong })))
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([400, 400, 400, 400, 400, 429, 429])
    expect((await save({ ...newPassword, code: code() })).status).toBe(429)
    expect((await signIn(code())).status).toBe(201)
  })
})

describe('a merchant that requires it', () => {
  const required = async (as: Person, tmk: string) =>
    desk.call('GET /c/v2/merchants/{tmk}/two_step', { as, params: { tmk } })
  const require = async (as: Person, tmk: string, is_required = true) =>
    desk.call('POST /c/v2/merchants/{tmk}/two_step', { as, params: { tmk }, body: { is_required } })

  test('only an owner with a second step may require it', async () => {
    const own = await desk.openShop()
    expect((await require(own.manager, own.key)).status).toBe(403)
    expect((await require(own.owner, own.key)).refusal.code).toBe('two_step_off')
    expect((await required(own.manager, own.key)).body).toEqual({ is_required: false })
    await turnOn(own.owner)
    const answer = await require(own.owner, own.key)
    expect([answer.status, answer.body]).toEqual([200, { is_required: true }])
    expect((await required(own.owner, own.key)).body).toEqual({ is_required: true })
    expect((await require(own.owner, shop.key)).status).toBe(403)
  })

  test('nobody can act for it without a second step; open dashboards close', async () => {
    const own = await desk.openShop()
    await turnOn(own.owner)
    const stream = await listen(desk, { key: own.key, as: own.member })
    await require(own.owner, own.key)
    const look = async (as: Person) =>
      desk.call('GET /c/v2/merchants/{tmk}', { as, params: { tmk: own.key } })
    const refused = await look(own.member)
    expect([refused.status, refused.refusal.code]).toEqual([403, 'two_step_setup_required'])
    expect((await look(own.owner)).status).toBe(200)
    await stream.ended
    // The person can sign in, and set it up.
    expect((await signIn(undefined, { email: own.member.email })).status).toBe(201)
    expect((await state(own.member)).is_required).toBe(true)
    const { code } = await turnOn(own.member)
    expect((await look(own.member)).status).toBe(200)
    expect((await disable(code(), { as: own.member })).refusal.code).toBe('two_step_required')
    await require(own.owner, own.key, false)
    expect((await look(own.manager)).status).toBe(200)
    expect((await disable(code(), { as: own.member })).status).toBe(200)
  })

  test('the marketplace’s link counts as the second step for people who have set it up, and for nobody else', async () => {
    const own = await desk.openShop()
    await turnOn(own.owner)
    await require(own.owner, own.key)
    const follow = async ({ id }: Person) => {
      const { body } = await desk.call('POST /marketplace/v1/handover', {
        as: marketplaceCredential,
        body: { user: id, merchant: own.key },
      })
      const jwt = new URL(body.url).searchParams.get('jwt') ?? ''
      const session = await desk.call('GET /a/v2/sessions', { as: `Bearer ${jwt}` })
      return (
        await desk.call('GET /c/v2/merchants/{tmk}', {
          as: `Bearer ${session.body.token}`,
          params: { tmk: own.key },
        })
      ).status
    }
    expect([await follow(own.owner), await follow(own.member)]).toEqual([200, 403])
  })
})

test('G15 nobody reads or changes anybody else’s', async () => {
  await turnOn()
  for (const as of [shop.owner, shop.member]) {
    const params = { id: person.id }
    const answers = [
      await desk.call('GET /a/v2/users/{id}/two_step', { as, params }),
      await desk.call('POST /a/v2/users/{id}/two_step', { as, params, body: { password } }),
      await desk.call('POST /a/v2/users/{id}/two_step/removal', {
        as,
        params,
        body: { password, code: '000000' },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  }
  expect((await state()).is_on).toBe(true)
})
