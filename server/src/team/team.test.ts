import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDesk, type Answer, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { listen } from '../../test/event-reader.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { mailedToken } from '../../test/providers/mailbox.ts'
import { visible } from '../../test/refusals.ts'
import { rationed } from './commands/invite-user.ts'

let desk: Desk
let shop: Shop
let other: Shop
let person: Person
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  other = await desk.openShop()
})
beforeEach(async () => {
  person = await desk.addPerson(shop.key, 'merch.user')
})
afterAll(async () => desk.stop())

const list = async (as: Person, tmk = shop.key) =>
  desk.call('GET /c/v2/merchants/{tmk}/users', { as, params: { tmk } })
const roles = async (id: string, as: Person) =>
  desk.call('GET /a/v2/users/{id}/roles', { as, params: { id } })
const setRoles = async (id: string, names: unknown, as: Person = shop.owner) =>
  desk.call('POST /a/v2/users/{id}/roles', { as, params: { id }, body: { roles: names } })
const revoke = async (id: string, as: Person = shop.owner, body: unknown = { authorized_merchant: null }) =>
  desk.call('POST /a/v2/users/{id}/data', { as, params: { id }, body })
const look = async (as: Person) =>
  (await desk.call('GET /c/v2/merchants/{tmk}', { as, params: { tmk: shop.key } })).status

test('API-051 GAP-04 ENT-004 TEAM-012 the list has the team with roles and their labels, and nobody else', async () => {
  const mine = await desk.openShop()
  const { status, body } = await list(mine.manager, mine.key)
  expect([status, body.total_rows]).toEqual([200, 3])
  const labels = Object.fromEntries(
    body.items.map(({ uuid, roles: held }) => [uuid, held.map((r) => r.label)]),
  )
  expect(labels).toEqual({
    [mine.owner.id]: ['Owner'],
    [mine.manager.id]: ['Manager'],
    [mine.member.id]: ['Member'],
  })
  const [first] = body.items
  expect(first).toMatchObject({ id: first?.uuid, email: expect.stringContaining('@'), phone: null })
  expect(first?.last_login).toEqual(expect.any(String))
  expect((await list(shop.owner, mine.key)).status).toBe(403)
})

test('a person’s birthday and phone are that person’s own: no colleague reads them, and they do', async () => {
  const mine = await desk.openShop()
  await desk.owner.query(
    `update users set birthday = '1990-01-02', phone_number = '+12125550123' where user_id = $1`,
    [mine.member.id],
  )
  const read = async (as: Person) =>
    (await desk.call('GET /a/v2/users/{id}', { as, params: { id: mine.member.id } })).body
  const { body: team } = await list(mine.owner, mine.key)
  const ended = await desk.call('POST /a/v2/users/{id}/data', {
    as: mine.owner,
    params: { id: mine.member.id },
    body: { authorized_merchant: null },
  })
  const back = await desk.call('POST /c/v2/merchants/{tmk}/users', {
    as: mine.owner,
    params: { tmk: mine.key },
    body: { email: mine.member.email, first_name: 'A', last_name: 'B', roles: ['merch.user'] },
  })
  expect([ended.status, back.status]).toEqual([200, 201])
  await desk.call('POST /a/v2/accounts/invitation/acceptance', {
    body: { token: await mailedToken(desk, mine.member.email) },
  })
  const known = [
    team.items.find(({ id }) => id === mine.member.id),
    ended.body,
    back.body,
    await read(mine.owner),
  ]
  for (const user of known) expect(user).toMatchObject({ birthday: null, phone: null, phone_number: null })
  const { rows } = await desk.owner.query(
    'select birthday::text, phone_number from users where user_id = $1',
    [mine.member.id],
  )
  expect(rows).toEqual([{ birthday: '1990-01-02', phone_number: '+12125550123' }])
  await desk.owner.query(`update users set phone_number = '+12125550124' where user_id = $1`, [mine.owner.id])
  const own = await desk.call('GET /a/v2/users/{id}', { as: mine.owner, params: { id: mine.owner.id } })
  expect(own.body.phone).toBe('+12125550124')
})

describe('roles', () => {
  test('API-011 API-013 GAP-06 GAP-163 are readable for oneself and for the merchant’s managers', async () => {
    const expected = { roles: [{ name: 'merch.user', label: 'Member' }] }
    for (const as of [person, shop.manager, shop.owner]) {
      const answer = await roles(person.id, as)
      expect([answer.status, answer.body]).toEqual([200, expected])
    }
    expect((await roles(person.id, shop.member)).status).toBe(403)
  })

  test('API-014 GAP-06 TEAM-010 an owner replaces them, and that person’s next request has the new ones', async () => {
    const promoted = await setRoles(person.id, ['merch.manager', 'merch.manager'])
    expect([promoted.status, promoted.body]).toEqual([
      200,
      { roles: [{ name: 'merch.manager', label: 'Manager' }] },
    ])
    expect((await list(person)).status).toBe(200)
    await setRoles(person.id, ['merch.user'])
    expect((await list(person)).status).toBe(403)
    expect(await look(person)).toBe(200)
  })

  test('GAP-06 GAP-165 TEAM-013 TEAM-014 TEAM-015 roles of other systems stay, show by name, and grant nothing', async () => {
    const foreign = ['app.admin', 'org.billing', 'thirstie.ops', 'cart.admin']
    await desk.owner.query('update users set roles = $2 where user_id = $1', [
      person.id,
      [...foreign, 'merch.owner'],
    ])
    const { body } = await setRoles(person.id, ['merch.user'])
    expect(body.roles).toEqual([
      ...foreign.map((name) => ({ name, label: name })),
      { name: 'merch.user', label: 'Member' },
    ])
    await desk.owner.query('update users set roles = $2 where user_id = $1', [person.id, foreign])
    expect(await look(person)).toBe(403)
  })

  test.each([
    ['no role (TEAM-005)', []],
    ['a role of another system (GAP-165)', ['app.admin']],
    ['a role that is none', ['merch.king']],
    ['text', 'merch.owner'],
    ['nothing', null],
  ])('TEAM-005 %s is refused and changes nothing', async (_what, names) => {
    const answer = await setRoles(person.id, names)
    expect([answer.status, answer.refusal.code]).toEqual([400, 'validation_failed'])
    expect((await roles(person.id, person)).body.roles.map(({ name }) => name)).toEqual(['merch.user'])
  })
})

describe('GAP-07 revoking', () => {
  test('API-015 TEAM-006 removes the merchant and its roles, at the next request and within 5 seconds on an open dashboard', async () => {
    const stream = await listen(desk, { key: shop.key, as: person })
    const second = await desk.another()
    const elsewhere = await listen(second, { key: shop.key, as: person })
    const { status, body } = await revoke(person.id)
    expect([status, body.id, body.aux_data.authorized_merchant, body.roles]).toEqual([
      200,
      person.id,
      null,
      [],
    ])
    expect(await look(person)).toBe(401)
    expect((await desk.call('GET /a/v2/sessions', { as: person })).status).toBe(401)
    await Promise.all([stream.ended, elsewhere.ended])
    const { body: team } = await list(shop.owner)
    expect(team.items.map(({ id }) => id)).not.toContain(person.id)
  })

  test('keeps roles of other systems', async () => {
    await desk.owner.query(
      `update users set roles = '{org.user,merch.user,merch.owner}' where user_id = $1`,
      [person.id],
    )
    expect((await revoke(person.id)).body.roles.map(({ name }) => name)).toEqual(['org.user'])
  })

  test.each([
    {},
    { authorized_merchant: 'OWN' },
    { authorized_merchant: '' },
    { authorized_merchant: false },
  ])('takes only null: %j', async (body) => {
    const answer = await revoke(person.id, shop.owner, body)
    expect([answer.status, answer.refusal.code]).toEqual([400, 'validation_failed'])
    expect(await look(person)).toBe(200)
  })
})

describe('TEAM-003 GAP-166 people without the permission', () => {
  test('nobody changes their own access', async () => {
    for (const answer of [
      await setRoles(shop.owner.id, ['merch.user']),
      await setRoles(shop.owner.id, ['merch.owner']),
      await revoke(shop.owner.id),
    ])
      expect([answer.status, answer.refusal.code]).toEqual([403, 'self_edit'])
    expect(await look(shop.owner)).toBe(200)
  })

  test('TEAM-002 members and managers change nobody’s', async () => {
    for (const as of [shop.member, shop.manager])
      for (const answer of [await setRoles(person.id, ['merch.owner'], as), await revoke(person.id, as)])
        expect([answer.status, answer.refusal.code]).toEqual([403, 'forbidden'])
    expect((await roles(person.id, person)).body.roles.map(({ name }) => name)).toEqual(['merch.user'])
  })

  test('G15 a person of another merchant, or of none, is a 404', async () => {
    const merchantless = await desk.addPerson(null, undefined)
    const calls: ((id: string) => Promise<Answer<unknown>>)[] = [
      async (id) => roles(id, shop.owner),
      async (id) => setRoles(id, ['merch.user']),
      async (id) => revoke(id),
      async (id) => desk.call('GET /a/v2/users/{id}', { as: shop.owner, params: { id } }),
    ]
    for (const call of calls) {
      const absent = visible(await call('u-000000000000'))
      expect(absent.status).toBe(404)
      for (const { id } of [other.member, other.owner, merchantless])
        expect(visible(await call(id))).toEqual(absent)
    }
    expect((await desk.call('GET /a/v2/sessions', { as: other.member })).status).toBe(200)
    expect((await roles(other.member.id, other.owner)).body.roles).toHaveLength(1)
  })
})

describe('GAP-166 a merchant always has an owner', () => {
  const owners = async (key: string) =>
    (
      await desk.owner.query(
        `select user_id from users where merchant_id = $1 and 'merch.owner' = any (roles)`,
        [key],
      )
    ).rows.length

  test('when two owners remove each other at once, one succeeds', async () => {
    const second = await desk.another()
    for (let round = 0; round < 15; round++) {
      const key = `race-${round}`
      const { owner: ada } = await desk.openShop(key)
      const bob = await desk.addPerson(key, 'merch.owner')
      const take = async (at: Desk, as: Person, id: string): Promise<Answer<unknown>> =>
        round % 2 === 0
          ? at.call('POST /a/v2/users/{id}/data', { as, params: { id }, body: { authorized_merchant: null } })
          : at.call('POST /a/v2/users/{id}/roles', { as, params: { id }, body: { roles: ['merch.user'] } })
      const answers = await Promise.all([take(desk, ada, bob.id), take(second, bob, ada.id)])
      const codes = answers.map(({ status, refusal }) => (status === 200 ? 'done' : refusal.code))
      expect([round, codes.filter((code) => code === 'done').length]).toEqual([round, 1])
      expect(['last_owner', 'forbidden', 'unauthorized', 'not_found']).toContain(
        codes.find((code) => code !== 'done'),
      )
      expect([round, await owners(key)]).toEqual([round, 1])
    }
  })

  test('an owner who loses the role while the call is under way changes nothing with it', async () => {
    const { owner: ada, key } = await desk.openShop()
    const bob = await desk.addPerson(key, 'merch.owner')
    const member = await desk.addPerson(key, 'merch.user')
    const client = await desk.owner.connect()
    await client.query('begin')
    await client.query('select 1 from merchants where merchant_id = $1 for update', [key])
    const late = Promise.all([
      setRoles(member.id, ['merch.owner'], bob),
      setRoles(ada.id, ['merch.user'], bob),
    ])
    for (let areWaiting = false; !areWaiting;) {
      const { rows } = await desk.owner.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      areWaiting = rows.length >= 2
    }
    await client.query(`update users set roles = '{merch.user}' where user_id = $1`, [bob.id])
    await client.query('commit')
    client.release()
    expect((await late).map(({ refusal }) => refusal.code)).toEqual(['forbidden', 'last_owner'])
    expect(await owners(key)).toBe(1)
    expect((await roles(member.id, ada)).body.roles.map(({ name }) => name)).toEqual(['merch.user'])
  })

  test.each([
    ['lost the right', `update users set roles = '{merch.user}' where user_id = any ($1)`],
    ['was signed out everywhere', 'update sessions set ended_at = now() where user_id = any ($1)'],
  ])(
    'an owner who %s while the call was under way invites nobody, and requires nothing',
    async (_what, end) => {
      const { owner: ada, key } = await desk.openShop()
      const bob = await desk.addPerson(key, 'merch.owner')
      // One person has two changes of people under way.
      const cyd = await desk.addPerson(key, 'merch.owner')
      await desk.owner.query('update users set two_step_confirmed_at = now() where user_id = $1', [cyd.id])
      const params = { tmk: key }
      const email = `accomplice-of-${bob.email}`
      const newcomer = { first_name: 'E', last_name: 'V', roles: ['merch.owner' as const] }
      const { body: invited } = await desk.call('POST /c/v2/merchants/{tmk}/users', {
        as: ada,
        params,
        body: { ...newcomer, email: `before-${email}` },
      })
      // Two calls wait for the merchant's row, the third for the caller's record.
      const held = await holdRows(desk, 'select 1 from merchants where merchant_id = $1 for update', [key])
      await held.query('select 1 from users where user_id = $1 for no key update', [cyd.id])
      const late = Promise.all([
        desk.call('POST /c/v2/merchants/{tmk}/users', { as: bob, params, body: { ...newcomer, email } }),
        desk.call('POST /c/v2/merchants/{tmk}/users/{id}/invitation', {
          as: bob,
          params: { tmk: key, id: invited.id },
        }),
        desk.call('POST /c/v2/merchants/{tmk}/two_step', { as: cyd, params, body: { is_required: true } }),
      ])
      await held.waiting(3)
      await held.query(end, [[bob.id, cyd.id]])
      await held.release()
      expect((await late).map(({ status }) => [403, 401].includes(status))).toEqual([true, true, true])
      expect((await desk.owner.query('select 1 from users where email = $1', [email])).rows).toEqual([])
      expect(
        (await desk.owner.query('select 1 from outgoing_mails where recipient = $1', [invited.email])).rows,
      ).toHaveLength(1)
      const { body: required } = await desk.call('GET /c/v2/merchants/{tmk}/two_step', { as: ada, params })
      expect(required).toEqual({ is_required: false })
    },
  )

  test('an owner who loses the role while the call is under way withdraws no invitation', async () => {
    const { owner: ada, key } = await desk.openShop()
    const bob = await desk.addPerson(key, 'merch.owner')
    const { body: invited } = await desk.call('POST /c/v2/merchants/{tmk}/users', {
      as: ada,
      params: { tmk: key },
      body: { email: `of-${bob.email}`, first_name: 'E', last_name: 'V', roles: ['merch.user'] },
    })
    const held = await holdRows(desk, 'select 1 from merchants where merchant_id = $1 for update', [key])
    const params = { tmk: key, id: invited.id }
    const late = desk.call('DELETE /c/v2/merchants/{tmk}/users/{id}/invitation', { as: bob, params })
    await Promise.race([held.waiting(1), late])
    await held.query(`update users set roles = '{merch.user}' where user_id = $1`, [bob.id])
    await held.release()
    expect((await late).refusal.code).toBe('forbidden')
    expect((await desk.owner.query('select from users where user_id = $1', [invited.id])).rows).toHaveLength(
      1,
    )
  })

  test('the only owner cannot be removed by a person who is no owner any more', async () => {
    const { owner: ada, manager, key } = await desk.openShop()
    expect((await revoke(ada.id, manager)).status).toBe(403)
    expect(await owners(key)).toBe(1)
  })
})

test('an invitation that began before its shop left for another cell writes nothing after that', async () => {
  const leaving = await desk.openShop()
  await desk.owner.query(
    `insert into merchant_moves (merchant_id, state, until) values ($1, 'leaving', now() + interval '10 minutes')`,
    [leaving.key],
  )
  const caller = {
    userId: leaving.owner.id,
    merchantId: leaving.key,
    sessionId: '',
    name: '',
    roles: ['merch.owner'],
    lacksSecondStep: false,
  }
  let begun = 0
  const invited = rationed(desk.app.db, { caller, email: 'late@example.com' }, async () => {
    begun += 1
    throw new Error('The invitation was written')
  })
  await expect(invited).rejects.toMatchObject({ code: 'CH503' })
  expect(begun).toBe(0)
})
