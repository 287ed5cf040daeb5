import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationCredential, openDesk, password, type Desk, type Shop } from '../../../test/desk.ts'
import { mailedToken } from '../../../test/providers/mailbox.ts'
import { createUser } from './create-user.ts'
import { setPassword } from './set-password.ts'
import { newPassword } from '../users/common-passwords.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const isCommon = (text: string) => newPassword(text)?.startsWith('Many people use this password') === true

test.each([
  ['words', ['basketball', 'CaliforNia', 'Cinderella']],
  ['words between digits and signs', ['password123', 'Summer2026!', '123welcome123', '**football**']],
  ['words in other signs', ['P@ssw0rd2026', 'l3tm31n2026', 'Tru$tno1999']],
  ['words again', ['passwordpassword', 'dragondragon1']],
  ['neighbouring keys', ['1234567890', 'poiuytrewq', '1qaz2wsx3edc', '1q2w3e4r5t', 'qwerty12345']],
  ['neighbouring keys and a little more', ['123456789a', 'a123456789', '12345678910']],
  ['one bit repeated', ['aaaaaaaaaa', '1212121212', 'abcabcabcabc']],
  ['our own names', ['cellarhand1', 'Thirstie2026']],
])('SEC-20 %s are refused', (_kind, texts) => {
  expect(texts.filter((text) => !isCommon(text))).toEqual([])
})

test('SEC-20 other passwords pass, and a short one has its own message', () => {
  for (const text of [
    'ten letters',
    'correct horse battery',
    'my-first-password',
    'dragons eat ferrets',
    'pGf&kQw3!tRm7x2b',
    'Q7tyui#9Kz2!pW',
    '日本の夏は暑いですよ',
  ])
    expect([text, newPassword(text)]).toEqual([text, undefined])
  expect(newPassword('password')).toBe('Your password must have at least 10 characters')
})

test('SEC-20 no way to a password takes a common one', async () => {
  const person = await desk.addPerson(shop.key, 'merch.user')
  const common = 'Password2026'
  const account = { first_name: 'A', last_name: 'B', email: 'new@example.com', birthday: '1990-01-02' }
  await desk.call('POST /a/v2/accounts/password_token', {
    as: applicationCredential,
    body: { email: person.email },
  })
  const reset_token = await mailedToken(desk, person.email)
  const answers = [
    await desk.call('POST /a/v2/users', {
      as: applicationCredential,
      body: { ...account, password: common },
    }),
    await desk.call('POST /a/v2/users/{id}', {
      as: person,
      params: { id: person.id },
      body: { password, new_password: common },
    }),
    await desk.call('POST /a/v2/accounts/password', {
      as: applicationCredential,
      body: { new_password: common, reset_token },
    }),
  ]
  const problem = newPassword(common)
  expect(answers.map(({ status, refusal }) => [status, refusal.errors])).toEqual([
    [400, { password: problem }],
    [400, { new_password: problem }],
    [400, { new_password: problem }],
  ])
  const { db } = desk.app
  const byOperator = { email: 'o@example.com', firstName: 'O', lastName: 'P', password: common }
  for (const refused of [
    createUser(db, byOperator),
    setPassword(db, { email: person.email, password: common }),
  ])
    await expect(refused).rejects.toMatchObject({ details: { errors: { password: problem } } })
  const { rows } = await desk.owner.query(
    "select email from users where email_key in ('new@example.com', 'o@example.com')",
  )
  expect(rows).toEqual([])
  // Nothing else changed: the link still works.
  const other = await desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { new_password: 'quite another one', reset_token },
  })
  expect(other.status).toBe(200)
})
