import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  applicationCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { codeOf } from '../../../test/one-time-code.ts'
import { mailsTo } from '../../../test/providers/mailbox.ts'

let desk: Desk
let shop: Shop
let victim: string
beforeAll(async () => {
  desk = await openDesk({ TRUST_PROXY: '1' })
  shop = await desk.openShop()
})
beforeEach(async () => {
  await desk.owner.query('delete from rate_limits')
  victim = `victim-${randomUUID()}@example.com`
})
afterAll(async () => desk.stop())

const network = '198.51.100.66'
const from = (address: string) => ({ 'x-forwarded-for': address })
const own = (index: number) => `mallory-${index}-${victim}`
const told = async (email = victim) => (await mailsTo(desk, email)).map(({ subject }) => subject)

const signIn = async (email: string, address = network) =>
  desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email, password },
    headers: from(address),
  })
async function signUp(email: string): Promise<Person> {
  await desk.call('POST /a/v2/users', {
    as: applicationCredential,
    body: { first_name: 'M', last_name: 'X', email, password, birthday: '1990-01-02' },
    headers: from(network),
  })
  const { user, token } = (await signIn(email)).body
  return { id: user.id, email, token }
}
const save = async (as: Person, body: object, address = network) =>
  (
    await desk.call('POST /a/v2/users/{id}', {
      as,
      params: { id: as.id },
      body: { password, ...body },
      headers: from(address),
    })
  ).status
test('SEC-14 a stranger who takes a victim’s address and leaves it again mails the victim nothing, and may do so a few times a day', async () => {
  const stranger = await signUp(victim)
  const statuses: number[] = []
  for (let index = 0; index < 5; index++)
    for (const email of [own(index), victim]) statuses.push(await save(stranger, { email }))
  expect([...statuses, await save(stranger, { email: own(5) })]).toEqual([...Array(10).fill(200), 429])
  expect(await told()).toEqual([])
  expect(await save(stranger, { first_name: 'Eve' })).toBe(200)
})

test('SEC-14 many accounts of one network change their e-mail forty times a day, and other networks do not notice', async () => {
  const people = []
  for (let index = 0; index < 5; index++) people.push(await desk.addPerson(shop.key, 'merch.user'))
  const statuses: number[] = []
  for (const [index, person] of people.entries())
    for (let change = 0; change < 9; change++)
      statuses.push(await save(person, { email: own(index * 10 + change) }))
  expect(statuses).toEqual([...Array(40).fill(200), ...Array(5).fill(429)])
  expect(await save(shop.member, { email: own(99) }, '192.0.2.1')).toBe(200)
}, 120_000)

test('SEC-14 an address is taken five times a day from a network, by whichever account', async () => {
  const people = [
    await desk.addPerson(shop.key, 'merch.user'),
    await desk.addPerson(shop.key, 'merch.manager'),
  ]
  const take = async (person: Person | undefined) => person && save(person, { email: victim })
  for (let index = 0; index < 5; index++) {
    const person = people[index % 2]
    expect(await take(person)).toBe(200)
    if (person !== undefined) await save(person, { email: own(index) })
  }
  expect([await take(people[1]), await take(people[0])]).toEqual([429, 429])
  const [, other] = people
  // A refusal costs the account none of its own changes.
  for (let time = 0; time < 10; time++) expect(await take(other)).toBe(429)
  expect(other && (await save(other, { email: victim }, '192.0.2.1'))).toBe(200)
})

test('SEC-14 a new password and a second step of an account that nobody vouches for mail nothing', async () => {
  const stranger = await signUp(victim)
  const params = { id: stranger.id }
  const { secret } = (
    await desk.call('POST /a/v2/users/{id}/two_step', { as: stranger, params, body: { password } })
  ).body
  await desk.call('POST /a/v2/users/{id}/two_step/confirmation', {
    as: stranger,
    params,
    body: { code: codeOf(secret) },
  })
  await desk.owner.query('update users set two_step_last_counter = 0 where user_id = $1', [stranger.id])
  expect(await save(stranger, { new_password: 'another password', code: codeOf(secret) })).toBe(200)
  expect(await told()).toEqual([])
})

test('SEC-14 staff whose new address is not proven get ten letters about changes in a day, and none when they leave it', async () => {
  const person = await desk.addPerson(shop.key, 'merch.user')
  expect(await save(person, { email: victim })).toBe(200)
  expect(await told(person.email)).toEqual(['Your e-mail was changed'])
  for (let index = 0; index < 11; index++) {
    const { token } = (await signIn(victim)).body
    expect(await save({ ...person, token }, { new_password: password })).toBe(200)
  }
  expect(await told()).toEqual(Array(9).fill('Your password was changed'))
  const { token } = (await signIn(victim)).body
  expect(await save({ ...person, token }, { email: own(1) })).toBe(200)
  expect(await told()).toHaveLength(9)
})

test('SEC-11 a stranger who signs in to a victim’s address from many networks fills the mailbox from none of them', async () => {
  await signUp(victim)
  for (let index = 0; index < 25; index++) {
    const address = `203.0.113.${index}`
    expect((await signIn(victim, address)).status).toBe(201)
    const asked = await desk.call('POST /a/v2/accounts/password_token', {
      as: applicationCredential,
      body: { email: victim },
      headers: from(address),
    })
    expect(asked.status).toBe(200)
  }
  expect(await told()).toHaveLength(20)
}, 120_000)
