import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationCredential, openDesk, type Desk } from '../../../test/desk.ts'
import { holdRows } from '../../../test/database/held-rows.ts'
import { eventually } from '../../../test/eventually.ts'
import { mailedToken } from '../../../test/providers/mailbox.ts'
import { createUser } from './create-user.ts'
import { setPassword } from './set-password.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())

const password = 'a long enough one'

function signIn(email: string, secret = password) {
  return desk.call('POST /a/v2/sessions', { as: applicationCredential, body: { email, password: secret } })
}

test('users are a merchant’s staff with a role, or belong to none', async () => {
  const { db } = desk.app
  await desk.openShop('staffed')
  const user = { email: 'm@staffed.example.com', firstName: 'M', lastName: 'N', password }
  await createUser(db, { ...user, merchantKey: 'staffed', role: 'merch.manager' })
  expect((await signIn('m@staffed.example.com')).body.user.roles[0]?.label).toBe('Manager')
  await createUser(db, { ...user, email: 'alone@example.com' })
  expect((await signIn('alone@example.com')).body.user.aux_data.authorized_merchant).toBeNull()

  const again = { ...user, email: 'again@example.com' }
  for (const refused of [
    { ...again, role: 'merch.owner' },
    { ...again, merchantKey: 'staffed' },
    { ...again, merchantKey: 'staffed', role: 'admin' },
    { ...again, merchantKey: 'no-such', role: 'merch.user' },
    { ...again, email: 'M@STAFFED.example.com' },
  ])
    await expect(createUser(db, refused)).rejects.toThrow()
})

test('another password ends every session of the old one, and every mailed link', async () => {
  const { db } = desk.app
  await createUser(db, { email: 'p@example.com', firstName: 'P', lastName: 'Q', password })
  const { token } = (await signIn('p@example.com')).body
  const resume = () => desk.call('GET /a/v2/sessions', { as: `Bearer ${token}` })
  expect((await resume()).status).toBe(200)
  await desk.call('POST /a/v2/accounts/password_token', {
    as: applicationCredential,
    body: { email: 'p@example.com' },
  })
  const reset_token = await mailedToken(desk, 'p@example.com')
  expect(await setPassword(db, { email: 'P@example.com', password: 'quite another one' })).toEqual({
    endedSessions: 1,
  })
  expect((await resume()).status).toBe(401)
  const followed = await desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { reset_token, new_password: 'by the earlier link' },
  })
  expect([followed.status, followed.refusal.code]).toEqual([400, 'bad_reset_token'])
  expect((await signIn('p@example.com')).status).toBe(401)
  expect((await signIn('p@example.com', 'quite another one')).status).toBe(201)
  await expect(setPassword(db, { email: 'p@example.com', password: 'short' })).rejects.toThrow()
  await expect(setPassword(db, { email: 'who@example.com', password })).rejects.toThrow()
})

test('another password opens an account that wrong tries have closed', async () => {
  const { db } = desk.app
  const email = 'closed@example.com'
  await createUser(db, { email, firstName: 'C', lastName: 'D', password })
  for (let tries = 0; tries < 10; tries++) expect((await signIn(email, 'a guess')).status).toBe(401)
  expect((await signIn(email)).status).toBe(429)
  await setPassword(db, { email, password: 'quite another one' })
  expect((await signIn(email, 'quite another one')).status).toBe(201)
})

test('another password wins over a sign-in under way with the old one', async () => {
  const { db } = desk.app
  const email = 'late@example.com'
  const userId = await createUser(db, { email, firstName: 'L', lastName: 'M', password })
  await signIn(email, 'not the password')
  // The server counts a try after it has read the record and before it hashes the password.
  const held = await holdRows(desk, `select 1 from rate_limits where limit_key like 'sign-in%' for update`)
  const late = signIn(email)
  await held.waiting(1)
  const hash = async () =>
    (await desk.owner.query('select password_hash from users where user_id = $1', [userId])).rows[0] as object
  const old = await hash()
  // At its end it clears the tries, which are held.
  const changed = setPassword(db, { email, password: 'quite another one' })
  await eventually(async () => expect(await hash()).not.toEqual(old))
  await held.release()
  await changed
  const answer = await late
  expect([answer.status, answer.refusal.code]).toEqual([401, 'bad_credentials'])
  const { rows } = await desk.owner.query('select 1 from sessions where user_id = $1', [userId])
  expect(rows).toEqual([])
})
