import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { holdRows, type HeldRows } from '../../../test/database/held-rows.ts'
import { applicationCredential, openDesk, password, type Desk, type Shop } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { passwordTurns, turnSettings } from '../users/passwords.ts'

let desk: Desk
let busy: Shop
let calm: Shop
beforeAll(async () => {
  // A test holds the places for as long as the machine takes.
  turnSettings.deadlineMs = 600_000
  desk = await openDesk({ TRUST_PROXY: '1' })
})
beforeEach(async () => {
  await desk.owner.query('delete from rate_limits')
  busy = await desk.openShop()
  calm = await desk.openShop()
})
afterAll(async () => desk.stop())

const flood = '203.0.113.1'
const atShop = '198.51.100.7'
const from = (network: string) => ({ 'x-forwarded-for': network })
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

const signIn = async (network: string, { email } = calm.member) =>
  (
    await desk.call('POST /a/v2/sessions', {
      as: applicationCredential,
      body: { email, password },
      headers: from(network),
    })
  ).status
const askLink = async (network: string, email = `${randomUUID()}@example.com`) =>
  desk.call('POST /a/v2/accounts/password_token', {
    as: applicationCredential,
    body: { email },
    headers: from(network),
  })
const signUp = async (network: string) =>
  desk.call('POST /a/v2/users', {
    as: applicationCredential,
    body: {
      first_name: 'A',
      last_name: 'B',
      email: `${randomUUID()}@example.com`,
      password,
      birthday: '1990-01-02',
    },
    headers: from(network),
  })
const openBadLink = async (network: string) =>
  desk.send('GET', '/substitutes/x.y', { headers: from(network) })
const saveProfile = async () =>
  desk.call('POST /a/v2/users/{id}', {
    as: busy.member,
    params: { id: busy.member.id },
    body: { first_name: 'Eve' },
  })
/** Lets go of the rows also when the check fails: the calls under way would keep the desk from stopping. */
async function whileHeld(held: HeldRows, check: () => Promise<void>): Promise<void> {
  await check().finally(held.release)
}
/** The row at which all tries of the flood's network meet. */
const holdCount = async (name: string) =>
  holdRows(desk, 'select from rate_limits where limit_key like $1 for update', [`${name}:%`])
const holdMember = async () =>
  holdRows(desk, 'select from users where user_id = $1 for update', [busy.member.id])
const anHourLater = async () => desk.owner.query('update rate_limits set resets_at = now()')

test.each([
  ['asks for password links', askLink, 'reset-network'],
  ['signs up', signUp, 'sign-up'],
  ['opens bad links of customers', openBadLink, 'substitutes-bad-link'],
] as const)(
  'SEC-11 while a network %s and all its tries wait, a clerk of another network signs in, and strangers of a third get their link',
  async (_what, ask, name) => {
    await ask(flood)
    const held = await holdCount(name)
    const tries = times(60, () => ask(flood))
    await whileHeld(held, async () => {
      await held.waiting(2)
      expect([await signIn(atShop), (await askLink('192.0.2.9', busy.owner.email)).status]).toEqual([
        201, 200,
      ])
      // The tries of the flood still wait.
      await held.waiting(2)
    })
    await Promise.all(tries)
  },
)

test('SEC-11 while 190 saves of one member wait for the same record, a clerk of another shop and a colleague sign in', async () => {
  const held = await holdMember()
  const saves = times(190, saveProfile)
  await whileHeld(held, async () => {
    await held.waiting(2)
    expect([await signIn(atShop), await signIn(atShop, busy.owner)]).toEqual([201, 201])
    await held.waiting(2)
  })
  await Promise.all(saves)
  expect((await saveProfile()).status).toBe(200)
})

test('SEC-11 while the saves of one member wait, and a change by the same member has woken the publisher, an event of another shop is published', async () => {
  const order = await desk.order(busy)
  const held = await holdMember()
  let ended = 0
  const saves = times(190, () => saveProfile().finally(() => ended++))
  await whileHeld(held, async () => {
    await held.waiting(2)
    const taken = 'PUT /m/v2/merchant/{tmk}/orders/{id}/taken'
    const at = { as: busy.member, params: { tmk: busy.key, id: order.id } }
    expect((await desk.call(taken, { ...at, body: {} })).status).toBe(200)
    const { id } = await desk.order(calm)
    await eventually(async () => {
      const published = "select from outbox where payload ->> 'id' = $1 and position is not null"
      expect((await desk.owner.query(published, [id])).rows).toHaveLength(1)
    })
    // The line of the saves is still there.
    expect(ended).toBeLessThan(saves.length / 2)
  })
  await Promise.all(saves)
})

test('a save that waits in vain for a record that somebody else holds is told to come again', async () => {
  await whileHeld(await holdMember(), async () => {
    const { status, refusal, headers } = await saveProfile()
    expect([status, refusal.code, headers.get('retry-after')]).toEqual([409, 'changed_elsewhere', '1'])
  })
  expect((await saveProfile()).status).toBe(200)
})

test('the server’s own work waits for a lock longer than any caller', async () => {
  const held = await holdMember()
  const work = desk.app.db.system(async ({ query }) => {
    await query('select from users where user_id = $1 for update', [busy.member.id])
    return 'done'
  })
  const ended = work.catch((error: unknown) => error)
  await whileHeld(held, async () => {
    await held.waiting(1)
    await sleep(5_500)
  })
  expect(await ended).toBe('done')
})

test('a try beyond a spent limit is refused without waiting for the tries beside it', async () => {
  const answers = await Promise.all(times(30, () => openBadLink(flood)))
  expect(answers.map(({ status }) => status)).toEqual(times(30, () => 404))
  await whileHeld(await holdCount('substitutes-bad-link'), async () =>
    expect((await openBadLink(flood)).status).toBe(429),
  )
  await anHourLater()
  expect((await openBadLink(flood)).status).toBe(404)
})

test('of one call a network has twenty under way, the rest waits for them, and nobody else waits', async () => {
  const isReleased = Promise.withResolvers<void>()
  onTestFinished(() => isReleased.resolve())
  // As many as there can be places.
  const held = times(3, (index) =>
    passwordTurns.inTurn({ lane: `held ${index}`, isKnown: true }, () => isReleased.promise),
  )
  const before = passwordTurns.waiting()
  const waiting = () => passwordTurns.waiting() - before
  const tries = times(39, () => signUp(flood))
  while (waiting() < 20) await sleep(5)
  // Another network, and another call of the same one.
  const others = [signUp('192.0.2.9')]
  while (waiting() < 21) await sleep(5)
  expect([(await askLink(flood)).status, (await openBadLink(flood)).status]).toEqual([404, 404])
  expect(waiting()).toBe(21)
  isReleased.resolve()
  const statuses = (await Promise.all([...tries, ...others])).map(({ status }) => status)
  expect(statuses).toEqual(times(40, () => 201))
  await Promise.all(held)
}, 120_000)
