import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationCredential, openDesk, password, type Desk, type Shop } from '../../../test/desk.ts'
import { mailedToken } from '../../../test/providers/mailbox.ts'
import { eventually } from '../../../test/eventually.ts'
import { decoy, hashPassword, passwordTurns, turnSettings, waitingPerLane } from './passwords.ts'
import { emailKey } from './user-record.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  // A test holds the places for as long as the machine takes.
  turnSettings.deadlineMs = 600_000
  desk = await openDesk({ TRUST_PROXY: '1' })
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const signIn = async (email: string, from: string, secret = password) =>
  (
    await desk.call('POST /a/v2/sessions', {
      as: applicationCredential,
      body: { email, password: secret },
      headers: { 'x-forwarded-for': from },
    })
  ).status

/** All places, as many as there can be, until they are let go. */
function holdPlaces() {
  const gate = Promise.withResolvers<void>()
  const held = Array.from({ length: 3 }, () =>
    passwordTurns.inTurn({ lane: 'held', isKnown: true }, () => gate.promise),
  )
  return async () => {
    gate.resolve()
    await Promise.all(held)
  }
}

test('SEC-5 a network’s tries beyond those that can wait get 429, others’ wait their turn, and afterwards all is as before', async () => {
  const known = 'known@example.com'
  await desk.owner.query(
    `insert into users (user_id, email, email_key, first_name, last_name, password_hash)
     values ('known', $1, $2, 'A', 'B', $3)`,
    [known, emailKey(known), await hashPassword('another password')],
  )
  expect(await signIn(shop.member.email, '192.0.2.7')).toBe(201)
  const letGo = holdPlaces()
  const before = passwordTurns.waiting()
  const flood: Promise<number>[] = []
  const strangers = async (count: number) => {
    const wanted = before + flood.length + count
    while (flood.length < wanted - before)
      flood.push(signIn(`invented-${flood.length}@example.com`, '198.51.100.1'))
    await eventually(async () => expect(passwordTurns.waiting()).toBe(wanted))
  }
  await strangers(waitingPerLane)
  // The first check of this process: a rejection that nobody awaits would end it, and fail this test.
  expect([await signIn(known, '198.51.100.1'), await signIn('nobody@example.com', '198.51.100.1')]).toEqual([
    429, 429,
  ])
  const order: string[] = []
  const others = [
    signIn(known, '203.0.113.5').then((status) => order.push(`phone ${status}`)),
    signIn(shop.member.email, '192.0.2.7').then((status) => order.push(`clerk ${status}`)),
  ]
  await eventually(async () => expect(passwordTurns.waiting()).toBe(before + waitingPerLane + 2))
  const allStrangers = Promise.all(flood).then((answers) => {
    order.push('strangers')
    return answers
  })
  await letGo()
  await Promise.all(others)
  expect(order.toSorted()).toEqual(['clerk 201', 'phone 401'])
  expect(new Set(await allStrangers)).toEqual(new Set([401]))
  expect([await signIn(known, '198.51.100.2'), await signIn('nobody@example.com', '198.51.100.2')]).toEqual([
    401, 401,
  ])
})

test.each([
  ['one user', 'has made known'],
  ['one mailed link', 'is used in'],
])('SEC-5 the thousands of IPv6 networks that %s %s share the places of one', async (who) => {
  const prefix = who === 'one user' ? '2001:db8:1' : '2001:db8:2'
  const networks = Array.from({ length: waitingPerLane + 1 }, (_, index) => `${prefix}:${index + 1}::1`)
  const { id, email } = shop.manager
  await desk.owner.query(
    `insert into known_networks (user_id, network_hash)
       select $1::text, translate(encode(sha256(convert_to($1::text || ' ' || network, 'UTF8')), 'base64'), '+/=', '-_')
       from unnest($2::text[]) as network`,
    [id, networks.map((network) => network.replace('::1', ''))],
  )
  await desk.call('POST /a/v2/accounts/password_token', { as: applicationCredential, body: { email } })
  const reset_token = await mailedToken(desk, email)
  const follow = async (from: string) =>
    (
      await desk.call('POST /a/v2/accounts/password', {
        as: applicationCredential,
        body: { new_password: 'another password', reset_token },
        headers: { 'x-forwarded-for': from },
      })
    ).status
  const letGo = holdPlaces()
  const before = passwordTurns.waiting()
  const answered: number[] = []
  const crowd = networks.map((network) =>
    (who === 'one user' ? signIn(email, network, 'a guess') : follow(network)).then((status) =>
      answered.push(status),
    ),
  )
  // The calls that follow a link come to the passwords twenty at a time, from the line of open calls.
  const expected = who === 'one user' ? [waitingPerLane, [429]] : [20, []]
  await eventually(async () =>
    expect([passwordTurns.waiting() - before, answered]).toEqual(expected),
  ).finally(letGo)
  await Promise.all(crowd)
  await desk.owner.query('delete from rate_limits')
})

test('checking the decoy takes as long as checking a stored hash', async () => {
  const shapeOf = (hash: string) => {
    const [, kind, version, cost, salt = '', digest = ''] = hash.split('$')
    return { kind, version, cost, salt: salt.length, digest: digest.length }
  }
  expect(shapeOf(decoy)).toEqual(shapeOf(await hashPassword(password)))
})
