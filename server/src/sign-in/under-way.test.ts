import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../test/desk.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { codeOf } from '../../test/one-time-code.ts'
import { mailedToken } from '../../test/providers/mailbox.ts'
import { mailsPurpose } from '#platform/mail/outgoing.ts'
import { createSealer } from '#platform/sealed-text.ts'
import { resetSecondStep } from './public.ts'

const newPassword = 'another password'
const sealingKey = 'the-sealing-key-of-a-desk-which-is-long-enough'

let desk: Desk
let shop: Shop
let person: Person
beforeAll(async () => {
  desk = await openDesk({ SEALING_KEY: sealingKey })
  shop = await desk.openShop()
})
beforeEach(async () => {
  await desk.owner.query('delete from rate_limits')
  person = await desk.addPerson(shop.key, 'merch.user')
})
afterAll(async () => desk.stop())

const signIn = async ({ email = person.email, secret = password, code = '' } = {}) =>
  desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email, password: secret, ...(code === '' ? {} : { code }) },
  })
const isSignedIn = async (token: string) =>
  (await desk.call('GET /a/v2/sessions', { as: `Bearer ${token}` })).status === 200
const openSessions = async (userId = person.id) =>
  (await desk.owner.query('select 1 from sessions where user_id = $1 and ended_at is null', [userId])).rows
    .length

async function mailedLink(): Promise<string> {
  await desk.call('POST /a/v2/accounts/password_token', {
    as: applicationCredential,
    body: { email: person.email },
  })
  return mailedToken(desk, person.email)
}
const reset = async (reset_token: string, new_password = newPassword) =>
  desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { new_password, reset_token },
  })

const save = async (body: object) =>
  desk.call('POST /a/v2/users/{id}', { as: person, params: { id: person.id }, body })

const startTwoStep = async () =>
  desk.call('POST /a/v2/users/{id}/two_step', {
    as: person,
    params: { id: person.id },
    body: { password },
  })
const confirmTwoStep = async (code: string) =>
  desk.call('POST /a/v2/users/{id}/two_step/confirmation', {
    as: person,
    params: { id: person.id },
    body: { code },
  })
const renewCodes = async (code: string) =>
  desk.call('POST /a/v2/users/{id}/two_step/recovery_codes', {
    as: person,
    params: { id: person.id },
    body: { password, code },
  })
const removeTwoStep = async (code: string) =>
  desk.call('POST /a/v2/users/{id}/two_step/removal', {
    as: person,
    params: { id: person.id },
    body: { password, code },
  })
const twoStep = async () => {
  const { rows } = await desk.owner.query<{ is_on: boolean; is_begun: boolean; codes: number }>(
    `select two_step_confirmed_at is not null as is_on, two_step_secret_sealed is not null as is_begun,
       (select count(*)::int from recovery_codes c where c.user_id = u.user_id) as codes
     from users u where user_id = $1`,
    [person.id],
  )
  return rows[0]
}
async function turnOnTwoStep(): Promise<readonly string[]> {
  const { secret } = (await startTwoStep()).body
  return (await confirmTwoStep(codeOf(secret))).body.recovery_codes
}

/** A fresh code of the app: the server counts its tries, and not those of recovery codes. */
async function turnOnWithApp(): Promise<string> {
  const { secret } = (await startTwoStep()).body
  await confirmTwoStep(codeOf(secret))
  await desk.owner.query('update users set two_step_last_counter = null where user_id = $1', [person.id])
  return codeOf(secret)
}

/** The server counts a try after it has read the record and before it hashes the password; the call is held there. */
const holdTries = async (name: string) =>
  holdRows(desk, 'select 1 from rate_limits where limit_key like $1 for update', [`${name}%`])
const holdSignIns = async (email = person.email) => {
  await signIn({ email, secret: 'not the password' })
  return holdTries('sign-in')
}

describe('a sign-in under way opens no session', () => {
  test('GAP-51 for a stranger who signed up with an address that an owner invites meanwhile', async () => {
    const email = `stranger-${randomUUID()}@example.com`
    const account = { first_name: 'S', last_name: 'T', email, password, birthday: '1980-01-01' }
    const { body } = await desk.call('POST /a/v2/users', { as: applicationCredential, body: account })
    const held = await holdSignIns(email)
    const late = signIn({ email })
    await held.waiting(1)
    const invited = await desk.call('POST /c/v2/merchants/{tmk}/users', {
      as: shop.owner,
      params: { tmk: shop.key },
      body: { email, first_name: 'Rosa', last_name: 'Diaz', roles: ['merch.owner'] },
    })
    expect([invited.status, invited.body.id]).toEqual([201, body.id])
    await held.release()
    const answer = await late
    expect([answer.status, answer.refusal.code]).toEqual([401, 'bad_credentials'])
    expect(await openSessions(body.id)).toBe(0)
  })

  test('GAP-43 when a mailed link sets another password meanwhile', async () => {
    const token = await mailedLink()
    const held = await holdSignIns()
    const late = signIn()
    await held.waiting(1)
    expect((await reset(token)).status).toBe(200)
    await held.release()
    expect((await late).refusal.code).toBe('bad_credentials')
    expect(await openSessions()).toBe(0)
    expect((await signIn({ secret: newPassword })).status).toBe(201)
  })

  test('with the password alone when the second step is turned on meanwhile', async () => {
    const held = await holdSignIns()
    const late = signIn()
    await held.waiting(1)
    await turnOnTwoStep()
    await held.release()
    const answer = await late
    expect([answer.status, answer.refusal.code]).toEqual([401, 'bad_credentials'])
    // Only the session that turned it on.
    expect(await openSessions()).toBe(1)
    expect(await isSignedIn(person.token)).toBe(true)
  })

  test('with a second step that the operator resets meanwhile', async () => {
    const [code = ''] = await turnOnTwoStep()
    const held = await holdSignIns()
    const late = signIn({ code })
    await held.waiting(1)
    const { seal } = createSealer([sealingKey], mailsPurpose)
    await resetSecondStep(desk.app.db, person.email, { product: 'Cellarhand', seal })
    await held.release()
    // The session was opened under the requirements at its beginning; the next sign-in meets the new ones.
    expect((await late).status).toBe(401)
    expect(await openSessions()).toBe(0)
    expect((await signIn()).status).toBe(201)
  })

  test('that a simultaneous reset does not see', async () => {
    const token = await mailedLink()
    // The session is open but not committed: its transaction waits for the row of the network.
    const held = await holdRows(desk, 'select 1 from known_networks where user_id = $1 for update', [
      person.id,
    ])
    const first = signIn()
    await held.waiting(1)
    const resetting = reset(token)
    await Promise.race([held.waiting(2), resetting])
    await held.release()
    const { status, body } = await first
    expect([status, (await resetting).status]).toEqual([201, 200])
    expect(await isSignedIn(body.token)).toBe(false)
    expect(await openSessions()).toBe(0)
  })
})

test.each([
  ['all the others', ''],
  ['one of the others', 'another'],
])('an ended session does not end %s', async (_which, session) => {
  const other = (await signIn()).body.token
  const [living] = (
    await desk.owner.query<{ session_id: string }>(
      'select session_id from sessions where user_id = $1 order by created_at desc limit 1',
      [person.id],
    )
  ).rows
  const as = person
  const held = await holdRows(desk, 'select 1 from users where user_id = $1 for update', [person.id])
  const late =
    session === ''
      ? desk.call('DELETE /a/v2/users/{id}/sessions', { as, params: { id: as.id } })
      : desk.call('DELETE /a/v2/users/{id}/sessions/{session}', {
          as,
          params: { id: as.id, session: living?.session_id ?? '' },
        })
  // Before the fix, ending a session waited for nothing.
  await Promise.race([held.waiting(1), late])
  await held.query('update sessions set ended_at = now() where user_id = $1 and session_id <> $2', [
    person.id,
    living?.session_id,
  ])
  await held.release()
  expect((await late).status).toBe(401)
  expect(await isSignedIn(other)).toBe(true)
})

describe('a change of one’s own account under way', () => {
  test('GAP-43 a thief’s new password loses against the owner’s reset', async () => {
    const token = await mailedLink()
    await save({ password: 'not the password', new_password: 'chosen by a thief' })
    const held = await holdTries('current-password')
    const thief = save({ password, new_password: 'chosen by a thief' })
    await held.waiting(1)
    expect((await reset(token)).status).toBe(200)
    await held.release()
    const answer = await thief
    expect([answer.status, answer.refusal.code]).toEqual([401, 'unauthorized'])
    expect((await signIn({ secret: 'chosen by a thief' })).status).toBe(401)
    expect((await signIn({ secret: newPassword })).status).toBe(201)
  })

  test('is refused when its password has changed meanwhile', async () => {
    const held = await holdRows(desk, 'select 1 from users where user_id = $1 for no key update', [person.id])
    const late = save({ password, email: `new-${person.email}` })
    await held.waiting(1)
    await held.query(`update users set password_hash = password_hash || '0' where user_id = $1`, [person.id])
    await held.release()
    const answer = await late
    expect([answer.status, answer.refusal.errors]).toEqual([
      400,
      { password: 'Your current password is incorrect' },
    ])
    const { rows } = await desk.owner.query('select email from users where user_id = $1', [person.id])
    expect(rows).toEqual([{ email: person.email }])
  })

  test('GAP-160 the previous e-mail does not come back without the password', async () => {
    const held = await holdRows(desk, 'select 1 from users where user_id = $1 for no key update', [person.id])
    const late = save({ email: person.email, first_name: 'Eve' })
    await held.waiting(1)
    const changed = `new-${person.email}`
    await held.query('update users set email = $2, email_key = $2 where user_id = $1', [person.id, changed])
    await held.release()
    const answer = await late
    expect([answer.status, answer.refusal.errors]).toEqual([
      400,
      { password: 'Your current password is incorrect' },
    ])
    const { rows } = await desk.owner.query('select email from users where user_id = $1', [person.id])
    expect(rows).toEqual([{ email: changed }])
  })

  test('SEC-14 needs a code when the second step has been turned on meanwhile', async () => {
    const held = await holdRows(desk, 'select 1 from users where user_id = $1 for no key update', [person.id])
    const late = save({ password, email: `new-${person.email}` })
    await held.waiting(1)
    await held.query('update users set two_step_confirmed_at = now() where user_id = $1', [person.id])
    await held.release()
    expect((await late).refusal.errors).toEqual({ code: 'Please enter the code of your authenticator app.' })
    expect((await desk.owner.query('select 1 from users where email = $1', [person.email])).rowCount).toBe(1)
  })

  test('no second step starts in a session that has ended', async () => {
    const token = await mailedLink()
    await save({ password: 'not the password', new_password: newPassword })
    const held = await holdTries('current-password')
    const late = startTwoStep()
    await held.waiting(1)
    await reset(token)
    await held.release()
    expect((await late).status).toBe(401)
    expect(await twoStep()).toEqual({ is_on: false, is_begun: false, codes: 0 })
  })

  test('no second step is turned on in a session that has ended, because it would lock the owner out', async () => {
    const token = await mailedLink()
    const { secret } = (await startTwoStep()).body
    await confirmTwoStep('000')
    const held = await holdTries('second-step')
    const late = confirmTwoStep(codeOf(secret))
    await held.waiting(1)
    await reset(token)
    await held.release()
    expect((await late).status).toBe(401)
    expect((await twoStep())?.is_on).toBe(false)
    expect((await signIn({ secret: newPassword })).status).toBe(201)
  })

  test.each([
    ['no recovery codes are told', renewCodes],
    ['no second step is removed', removeTwoStep],
  ])('%s in a session that has ended', async (_what, change) => {
    const code = await turnOnWithApp()
    const token = await mailedLink()
    await change('000')
    const held = await holdTries('second-step')
    const late = change(code)
    await held.waiting(1)
    await reset(token)
    await held.release()
    expect((await late).status).toBe(401)
    expect(await twoStep()).toEqual({ is_on: true, is_begun: true, codes: 10 })
    // The code must not be used up either.
    expect((await signIn({ secret: newPassword, code })).status).toBe(201)
  })

  test('an owner’s second step stays when they require it of everybody meanwhile', async () => {
    person = (await desk.openShop()).owner
    const code = await turnOnWithApp()
    await removeTwoStep('000')
    const held = await holdTries('second-step')
    const late = removeTwoStep(code)
    await held.waiting(1)
    const { body } = await desk.call('GET /a/v2/users/{id}/merchant', {
      as: person,
      params: { id: person.id },
    })
    await desk.call('POST /c/v2/merchants/{tmk}/two_step', {
      as: person,
      params: { tmk: body.authorized_merchant ?? '' },
      body: { is_required: true },
    })
    await held.release()
    expect((await late).refusal.code).toBe('two_step_required')
    expect((await twoStep())?.is_on).toBe(true)
  })
})

describe('a link followed while links end', () => {
  const handOver = async () =>
    desk.call('POST /marketplace/v1/handover', {
      as: marketplaceCredential,
      body: { user: person.id, merchant: shop.key },
    })
  const handOverToken = async () => new URL((await handOver()).body.url).searchParams.get('jwt') ?? ''

  const ofMarketplace = { make: handOverToken, follow: isSignedIn, refused: false }
  const mailed = {
    make: mailedLink,
    follow: async (token: string) => (await reset(token)).status,
    refused: 400,
  }
  test.each([
    ['of the marketplace', ofMarketplace],
    ['that was mailed', mailed],
  ])('%s waits for the account, and is worth nothing then', async (_which, { make, follow, refused }) => {
    const token = await make()
    const held = await holdRows(desk, 'select 1 from users where user_id = $1 for update', [person.id])
    const late = follow(token)
    await held.waiting(1)
    // The waiting call must not hold a token, or the two calls would wait for each other.
    await held.query('select 1 from one_time_tokens where user_id = $1 for update nowait', [person.id])
    await held.query('update one_time_tokens set used_at = now() where user_id = $1', [person.id])
    await held.query('update sessions set ended_at = now() where user_id = $1', [person.id])
    await held.release()
    expect(await late).toBe(refused)
    expect(await openSessions()).toBe(0)
  })

  test('no link is made for a person whose access ends meanwhile', async () => {
    const held = await holdRows(desk, 'select 1 from users where user_id = $1 for update', [person.id])
    const late = handOver()
    await held.waiting(1)
    await held.query('update users set merchant_id = null where user_id = $1', [person.id])
    await held.release()
    expect((await late).status).toBe(404)
  })
})
