import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { mailedToken } from '../../../test/providers/mailbox.ts'
import { separability } from '../../../test/papers/separability.ts'
import { hashPassword } from '../users/passwords.ts'

let desk: Desk
let shop: Shop
let person: Person
beforeAll(async () => {
  desk = await openDesk({ TRUST_PROXY: '1' })
  shop = await desk.openShop()
})
beforeEach(async () => {
  await desk.owner.query('delete from rate_limits')
  person = await desk.addPerson(shop.key, 'merch.user')
})
afterAll(async () => desk.stop())

const home = '192.0.2.7'
const elsewhere = (index: number) => `198.51.${index % 200}.${Math.trunc(index / 200) + 1}`
const signIn = async (secret: string, from: string, { email = person.email, at = desk } = {}) =>
  (
    await at.call('POST /a/v2/sessions', {
      as: applicationCredential,
      body: { email, password: secret },
      headers: { 'x-forwarded-for': from },
    })
  ).status
const guess = async (count: number, from = elsewhere) =>
  Promise.all(Array.from({ length: count }, (_, index) => signIn(`guess ${index}`, from(index))))
const countOf = (answers: readonly number[], status: number) =>
  answers.filter((each) => each === status).length

describe('G22 guesses from many networks', () => {
  test('get ten tries in all, and lock nobody out who has signed in from that network before', async () => {
    expect(await signIn(password, home)).toBe(201)
    const answers = await guess(60)
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([10, 50])
    expect(await signIn(password, '203.0.113.9')).toBe(429)
    expect(await signIn(password, home)).toBe(201)
    // That success gives the other networks no new ten tries.
    expect(countOf(await guess(20), 401)).toBe(0)
    expect(await signIn(password, home, { at: await desk.another() })).toBe(201)
  })

  test('a known network also has ten tries, not more', async () => {
    await signIn(password, home)
    expect(countOf(await guess(30, () => home), 401)).toBe(10)
    expect(await signIn(password, home)).toBe(429)
  })

  test('a hundred in a row close the account for other networks, and the mailed link opens it', async () => {
    for (let window = 0; window < 11; window++) {
      await guess(10)
      await desk.owner.query("update rate_limits set resets_at = now() where limit_key like 'sign-in:%'")
    }
    expect(await signIn(password, '203.0.113.9')).toBe(429)
    await desk.call('POST /a/v2/accounts/password_token', {
      as: applicationCredential,
      body: { email: person.email },
    })
    const reset_token = await mailedToken(desk, person.email)
    await desk.call('POST /a/v2/accounts/password', {
      as: applicationCredential,
      body: { new_password: 'a password after it all', reset_token },
    })
    expect(await signIn('a password after it all', '203.0.113.9')).toBe(201)
  })

  test('that a colleague has made known get twenty tries in all, and a hundred in a row, and lock nobody out at home', async () => {
    expect(await signIn(password, home)).toBe(201)
    const colleague = await desk.addPerson(shop.key, 'merch.user')
    const ofColleague = (index: number) => `203.0.113.${index + 1}`
    for (let index = 0; index < 6; index++)
      expect(await signIn(password, ofColleague(index), { email: colleague.email })).toBe(201)
    const guessFromThere = () => guess(60, (index) => ofColleague(index % 6))
    expect(countOf(await guessFromThere(), 401)).toBe(20)
    expect([await signIn(password, ofColleague(0)), await signIn(password, home)]).toEqual([429, 201])
    for (let window = 0; window < 6; window++) {
      await desk.owner.query("update rate_limits set resets_at = now() where limit_key not like '%row:%'")
      await guessFromThere()
    }
    await desk.owner.query("update rate_limits set resets_at = now() where limit_key not like '%row:%'")
    expect(await signIn(password, ofColleague(0))).toBe(429)
    expect(await signIn(password, home)).toBe(201)
    // Back at home, the count is clear.
    expect(await signIn(password, ofColleague(0))).toBe(201)
  }, 180_000)

  test('networks are stored as digests', async () => {
    await signIn(password, home)
    const { rows } = await desk.owner.query('select k::text as text from known_networks k')
    expect(rows.length).toBeGreaterThan(0)
    for (const { text } of rows as { text: string }[]) expect(text).not.toContain(home)
  })
})

describe('SEC-6 strangers', () => {
  const strange = '198.18.0.1'
  const ours = '198.18.0.2'
  const rows = async (like = '%') =>
    (await desk.owner.query('select 1 from rate_limits where limit_key like $1', [like])).rows.length
  const invent = async (count: number, from: string, name = 'invented') =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        signIn('a guess', from, { email: `${name}-${index}@example.com` }),
      ),
    )

  test('leave rows for a quarter of an hour at most, and a bounded number of them', async () => {
    const answers: number[] = []
    for (let round = 0; round < 15; round++) answers.push(...(await invent(10, strange, `round-${round}`)))
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([100, 50])
    expect(await rows()).toBe(101)
    const { rows: longest } = await desk.owner.query(
      "select 1 from rate_limits where resets_at > now() + interval '16 minutes'",
    )
    expect(longest).toEqual([])
    expect(await rows('sign-in-row:%')).toBe(0)
    await signIn('a guess', elsewhere(1))
    expect(await rows('sign-in-row:%')).toBe(1)
    // The network is spent for strangers, the /64 of another is not, and who has signed in from there is none.
    expect(await signIn(password, strange)).toBe(429)
    expect(await signIn(password, '2001:db8:0:7::1')).toBe(201)
    expect(await invent(1, '2001:db8:0:8::1')).toEqual([401])
  }, 180_000)

  test('who spend a network leave those of a shop that signed in from there alone', async () => {
    expect(await signIn(password, ours, { email: shop.owner.email })).toBe(201)
    for (let round = 0; round < 12; round++) await invent(10, ours, `round-${round}`)
    expect([await signIn(password, ours), await signIn('a guess', ours)]).toEqual([201, 401])
  }, 180_000)

  test('a sign-in that succeeds costs its network nothing', async () => {
    await signIn(password, elsewhere(1))
    const { rows: left } = await desk.owner.query(
      "select hits from rate_limits where limit_key like 'sign-in-network:%' and hits > 0",
    )
    expect(left).toEqual([])
  })

  test('make forty accounts a day from a network', async () => {
    const signUp = async (index: number, from: string) =>
      (
        await desk.call('POST /a/v2/users', {
          as: applicationCredential,
          body: {
            first_name: 'A',
            last_name: 'B',
            email: `account-${index}-${from}@example.com`,
            password,
            birthday: '1990-01-02',
          },
          headers: { 'x-forwarded-for': from },
        })
      ).status
    const answers: number[] = []
    for (let round = 0; round < 5; round++)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, (_, index) => signUp(round * 10 + index, '192.0.2.99')),
        )),
      )
    expect([countOf(answers, 201), countOf(answers, 429)]).toEqual([40, 10])
    expect(await signUp(0, '192.0.2.98')).toBe(201)
  }, 180_000)
})

test('G22 without a trusted proxy a header about where it comes from changes nothing', async () => {
  const direct = await openDesk()
  try {
    const someone = await direct.addPerson(null, undefined)
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        signIn('a guess', elsewhere(index), { email: someone.email, at: direct }),
      ),
    )
    expect(countOf(answers, 401)).toBe(10)
    const { rows } = await direct.owner.query('select 1 from known_networks')
    expect(rows).toHaveLength(1)
  } finally {
    await direct.stop()
  }
})

test('G24 the time of a refused sign-in does not reveal whether the address has an account', async () => {
  // At the server's own cost, which the tests' other people lack.
  await desk.owner.query('update users set password_hash = $1 where user_id = $2', [
    await hashPassword(password),
    person.id,
  ])
  const timeOf = async (email: string) => {
    const before = performance.now()
    expect(await signIn('not the password', home, { email })).toBe(401)
    return performance.now() - before
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < 40; round++) {
    if (round % 5 === 0) await desk.owner.query('delete from rate_limits')
    const isKnownFirst = round % 2 === 0
    if (isKnownFirst) known.push(await timeOf(person.email))
    unknown.push(await timeOf('nobody@example.com'))
    if (!isKnownFirst) known.push(await timeOf(person.email))
  }
  expect(separability(known, unknown)).toBeGreaterThan(0.0001)
}, 180_000)
