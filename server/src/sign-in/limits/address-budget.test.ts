import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  applicationCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { mailsTo } from '../../../test/providers/mailbox.ts'
import { separability } from '../../../test/papers/separability.ts'
import { passwordTurns, turnSettings } from '../users/passwords.ts'

let desk: Desk
let shop: Shop
let person: Person
beforeAll(async () => {
  // A test holds the places for as long as the machine takes.
  turnSettings.deadlineMs = 600_000
  desk = await openDesk({ TRUST_PROXY: '1' })
  shop = await desk.openShop()
})
beforeEach(async () => {
  await desk.owner.query('delete from rate_limits')
  person = await desk.addPerson(shop.key, 'merch.user')
})
afterAll(async () => desk.stop())

const network = '192.0.2.1'
const askLink = async (email: string, from = network) =>
  (
    await desk.call('POST /a/v2/accounts/password_token', {
      as: applicationCredential,
      body: { email },
      headers: { 'x-forwarded-for': from },
    })
  ).status
const nobody = (index: number) => `nobody-${index}@example.com`
/** Otherwise the hourly limit of GAP-45 would come first. */
const anHourLater = async () =>
  desk.owner.query("update rate_limits set resets_at = now() where limit_key like 'reset-%'")
async function learn(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    if (index % 15 === 0) await anHourLater()
    expect(await askLink(nobody(index))).toBe(404)
  }
  await anHourLater()
}

test('G24 a forged address before the proxy’s own does not count as another network', async () => {
  await learn(20)
  expect(await askLink(nobody(99), `198.51.100.9, ${network}`)).toBe(200)
  expect(await askLink(nobody(98), '198.51.100.9')).toBe(404)
})

test('G24 a network learns about twenty unknown addresses a day; then known and unknown get the same answer, and only known ones get a mail', async () => {
  await learn(20)
  expect([await askLink(nobody(99)), await askLink(person.email)]).toEqual([200, 200])
  expect([(await mailsTo(desk, nobody(99))).length, (await mailsTo(desk, person.email)).length]).toEqual([
    0, 1,
  ])
  expect(await askLink(nobody(99), '192.0.2.2')).toBe(404)
  await desk.owner.query("update rate_limits set resets_at = now() where limit_key like 'addresses-told%'")
  await anHourLater()
  expect(await askLink(nobody(100))).toBe(404)
})

test('G24 at once as well as one after another', async () => {
  await learn(10)
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => askLink(nobody(200 + index))),
  )
  expect(answers.filter((status) => status === 404)).toHaveLength(10)
})

test('G24 all networks together learn about five hundred an hour', async () => {
  const answers: number[] = []
  // Fewer at once than the database has connections: on a busy machine, more would get a 503.
  for (let batch = 0; batch < 130; batch++)
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 4 }, async (_, index) =>
          askLink(nobody(batch * 4 + index), `198.51.100.${(batch * 4 + index) % 40}`),
        ),
      )),
    )
  expect(answers.filter((status) => status === 404)).toHaveLength(500)
  expect(answers.filter((status) => status === 200)).toHaveLength(20)
  expect(await askLink(nobody(1_000), '203.0.113.1')).toBe(200)
  expect(await askLink(person.email, '203.0.113.1')).toBe(200)
}, 120_000)

test('G24 the time of a neutral answer reveals nothing', async () => {
  await learn(20)
  const timeOf = async (email: string) => {
    const before = performance.now()
    expect(await askLink(email)).toBe(200)
    return performance.now() - before
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < 30; round++) {
    await desk.owner.query("delete from rate_limits where limit_key like 'reset-%'")
    // The traces of one request slow down the next, so each kind comes first equally often.
    const isKnownFirst = round % 2 === 0
    if (isKnownFirst) known.push(await timeOf(person.email))
    unknown.push(await timeOf(nobody(round)))
    if (!isKnownFirst) known.push(await timeOf(person.email))
  }
  expect(separability(known, unknown)).toBeGreaterThan(0.0001)
}, 120_000)

test('G24 sign-up reveals twenty taken addresses a day, and then refuses new ones too', async () => {
  const signUp = async (email: string, from = network) =>
    (
      await desk.call('POST /a/v2/users', {
        as: applicationCredential,
        body: { first_name: 'A', last_name: 'B', email, password, birthday: '1990-01-02' },
        headers: { 'x-forwarded-for': from },
      })
    ).status
  expect(await signUp('first@example.com')).toBe(201)
  for (let index = 0; index < 20; index++) expect(await signUp(person.email)).toBe(409)
  expect([await signUp(person.email), await signUp('second@example.com')]).toEqual([429, 429])
  expect(await signUp('second@example.com', '192.0.2.2')).toBe(201)
}, 120_000)

test('G24 sign-ups that came before the budget was spent, and waited to be hashed, reveal nothing after it', async () => {
  const signUp = async (email: string) =>
    (
      await desk.call('POST /a/v2/users', {
        as: applicationCredential,
        body: { first_name: 'A', last_name: 'B', email, password, birthday: '1990-01-02' },
        headers: { 'x-forwarded-for': network },
      })
    ).status
  for (let index = 0; index < 20; index++) expect(await signUp(person.email)).toBe(409)
  await desk.owner.query("update rate_limits set hits = 19 where limit_key like 'addresses-told%'")
  const isReleased = Promise.withResolvers<void>()
  // As many as there can be places.
  const held = [1, 2, 3].map(() =>
    passwordTurns.inTurn({ lane: 'held', isKnown: true }, () => isReleased.promise),
  )
  const queued = passwordTurns.waiting()
  const late = [signUp('third@example.com'), signUp(person.email)]
  while (passwordTurns.waiting() < queued + 2) await new Promise((resolve) => setImmediate(resolve))
  await desk.owner.query("update rate_limits set hits = 20 where limit_key like 'addresses-told%'")
  isReleased.resolve()
  expect(await Promise.all(late)).toEqual([429, 429])
  await Promise.all(held)
  expect((await desk.owner.query("select 1 from users where email = 'third@example.com'")).rows).toEqual([])
})

test('G24 a change of e-mail and an invitation reveal twenty taken addresses a day', async () => {
  const change = async () =>
    (
      await desk.call('POST /a/v2/users/{id}', {
        as: person,
        params: { id: person.id },
        body: { email: shop.owner.email, password },
      })
    ).status
  const invite = async () =>
    (
      await desk.call('POST /c/v2/merchants/{tmk}/users', {
        as: shop.owner,
        params: { tmk: shop.key },
        body: { email: person.email, first_name: 'A', last_name: 'B', roles: ['merch.user'] },
      })
    ).status
  for (const ask of [change, invite]) {
    for (let index = 0; index < 20; index++) expect(await ask()).toBe(409)
    expect(await ask()).toBe(429)
  }
}, 120_000)
