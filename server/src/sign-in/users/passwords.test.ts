import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationCredential, openDesk, password, type Desk } from '../../../test/desk.ts'
import { decoy, hashPassword, inTurn, waiting, waitingAtMost } from './passwords.ts'
import { emailKey } from './user-record.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

const signIn = async (email: string) =>
  (await desk.call('POST /a/v2/sessions', { as: applicationCredential, body: { email, password } })).status

test('sign-ins beyond the waiting places get 429, and afterwards each address gets its usual answer', async () => {
  const known = 'known@example.com'
  await desk.owner.query(
    `insert into users (user_id, email, email_key, first_name, last_name, password_hash)
     values ('known', $1, $2, 'A', 'B', $3)`,
    [known, emailKey(known), await hashPassword('another password')],
  )
  const isReleased = Promise.withResolvers<void>()
  const held: Promise<void>[] = []
  while (waiting.length < waitingAtMost) held.push(inTurn(() => isReleased.promise))
  // The first check of this process. An unhandled rejection would end the process, and fail this test.
  expect([await signIn(known), await signIn('nobody@example.com')]).toEqual([429, 429])
  isReleased.resolve()
  await Promise.all(held)
  expect([await signIn(known), await signIn('nobody@example.com')]).toEqual([401, 401])
})

test('checking the decoy takes as long as checking a stored hash', async () => {
  const shapeOf = (hash: string) => {
    const [, kind, version, cost, salt = '', digest = ''] = hash.split('$')
    return { kind, version, cost, salt: salt.length, digest: digest.length }
  }
  expect(shapeOf(decoy)).toEqual(shapeOf(await hashPassword(password)))
})
