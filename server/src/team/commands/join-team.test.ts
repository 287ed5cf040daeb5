import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { holdRows } from '../../../test/database/held-rows.ts'
import { mailedToken, mailsTo } from '../../../test/providers/mailbox.ts'

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
  person = await desk.addPerson(null, undefined)
})
afterAll(async () => desk.stop())

const invite = async (by = shop, email = person.email) =>
  desk.call('POST /c/v2/merchants/{tmk}/users', {
    as: by.owner,
    params: { tmk: by.key },
    body: { email, first_name: 'Ada', last_name: 'Cole', roles: ['merch.manager'] },
  })
const resend = async (id: string, { owner, key } = shop) =>
  desk.call('POST /c/v2/merchants/{tmk}/users/{id}/invitation', { as: owner, params: { tmk: key, id } })
const withdraw = async (id: string, { owner, key } = shop) =>
  desk.call('DELETE /c/v2/merchants/{tmk}/users/{id}/invitation', { as: owner, params: { tmk: key, id } })
const revoke = async (id: string, as = shop.owner) =>
  desk.call('POST /a/v2/users/{id}/data', { as, params: { id }, body: { authorized_merchant: null } })
const read = async (token: string) => desk.call('POST /a/v2/accounts/invitation', { body: { token } })
const join = async (token: string) =>
  desk.call('POST /a/v2/accounts/invitation/acceptance', { body: { token } })
const listed = async ({ owner, key } = shop) =>
  (await desk.call('GET /c/v2/merchants/{tmk}/users', { as: owner, params: { tmk: key } })).body.items
const waiting = async (by = shop) => (await listed(by)).filter(({ email }) => email === person.email)
const merchantOf = async ({ token } = person) =>
  (await desk.call('GET /a/v2/sessions', { as: `Bearer ${token}` })).body.user.aux_data.authorized_merchant
const account = async () =>
  (await desk.owner.query('select * from users where user_id = $1', [person.id])).rows[0] as object
const refusalOf = async (answer: Promise<{ status: number; refusal: { code: string } }>) => {
  const { status, refusal } = await answer
  return [status, refusal.code]
}

test('SEC-17 GAP-05 GAP-41 an account with a password joins by its own answer; until then nothing of it changes or is told', async () => {
  const before = await account()
  const { status, body } = await invite(shop, ` ${person.email.toUpperCase()} `)
  expect([status, body]).toMatchObject([
    201,
    {
      email: person.email.toUpperCase(),
      first_name: 'Ada',
      last_name: 'Cole',
      last_login: null,
      phone: null,
      birthday: null,
      roles: [{ name: 'merch.manager', label: 'Manager' }],
      aux_data: { authorized_merchant: shop.key },
    },
  ])
  expect(body.id).not.toBe(person.id)
  expect(await account()).toEqual(before)
  expect(await merchantOf()).toBeNull()
  expect(
    await refusalOf(desk.call('GET /a/v2/users/{id}', { as: shop.owner, params: { id: person.id } })),
  ).toEqual([404, 'not_found'])

  const [mail] = await mailsTo(desk, person.email.toUpperCase())
  expect(mail?.subject).toBe(`Shop ${shop.key} invites you`)
  const token = await mailedToken(desk, person.email.toUpperCase())
  expect(mail?.links).toEqual([`${desk.url}/join/${token}`])
  expect((await read(token)).body).toEqual({
    merchant: { id: shop.key, name: `Shop ${shop.key}` },
    email: person.email.toUpperCase(),
    roles: [{ name: 'merch.manager', label: 'Manager' }],
  })
  expect(await account()).toEqual(before)

  expect((await join(token)).status).toBe(200)
  expect(await merchantOf()).toBe(shop.key)
  expect(await account()).toEqual({ ...before, merchant_id: shop.key, roles: ['merch.manager'] })
  const signedIn = await desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: person.email, password },
  })
  expect(signedIn.status).toBe(201)
  const [colleague, ...others] = await waiting()
  expect([colleague?.id, colleague?.invitation_pending, others]).toEqual([person.id, false, []])
  for (const again of [read, join]) expect(await refusalOf(again(token))).toEqual([400, 'bad_invitation'])
})

describe('SEC-17 until the answer the list shows the invitation', () => {
  test('under its own name, as pending; its roles can be read and changed', async () => {
    const { body: invited } = await invite()
    expect(await waiting()).toMatchObject([
      { id: invited.id, first_name: 'Ada', last_name: 'Cole', invitation_pending: true },
    ])
    const params = { id: invited.id }
    const changed = await desk.call('POST /a/v2/users/{id}/roles', {
      as: shop.owner,
      params,
      body: { roles: ['merch.user'] },
    })
    const known = await desk.call('GET /a/v2/users/{id}/roles', { as: shop.manager, params })
    expect([changed.body, known.body]).toEqual(
      Array(2).fill({ roles: [{ name: 'merch.user', label: 'Member' }] }),
    )
    expect((await join(await mailedToken(desk, person.email))).status).toBe(200)
    expect((await waiting()).map(({ roles }) => roles.map(({ name }) => name))).toEqual([['merch.user']])
  })

  test('a second one is a 409; sent again, the earlier link ends', async () => {
    const { body: invited } = await invite()
    expect(await refusalOf(invite())).toEqual([409, 'email_exists'])
    const earlier = await mailedToken(desk, person.email)
    const again = await resend(invited.id)
    expect([again.status, again.body.id, again.body.invitation_pending]).toEqual([200, invited.id, true])
    const later = await mailedToken(desk, person.email)
    expect(await refusalOf(join(earlier))).toEqual([400, 'bad_invitation'])
    expect((await join(later)).status).toBe(200)
    expect(await refusalOf(resend(invited.id))).toEqual([404, 'not_found'])
  })

  test.each([
    ['withdrawn', withdraw],
    ['revoked', revoke],
  ])('%s, it ends with its link, and the account stays as it is', async (_how, end) => {
    const before = await account()
    const { body: invited } = await invite()
    const token = await mailedToken(desk, person.email)
    expect((await end(invited.id)).status).toBe(200)
    for (const call of [read, join]) expect(await refusalOf(call(token))).toEqual([400, 'bad_invitation'])
    expect(await refusalOf(withdraw(invited.id))).toEqual([404, 'not_found'])
    expect([await waiting(), await account()]).toEqual([[], before])
    expect((await invite()).status).toBe(201)
  })

  test('G15 only its own owners find it', async () => {
    const { body: invited } = await invite()
    for (const answer of [
      resend(invited.id, other),
      withdraw(invited.id, other),
      revoke(invited.id, other.owner),
    ])
      expect(await refusalOf(answer)).toEqual([404, 'not_found'])
    for (const as of [shop.member, shop.manager]) expect((await revoke(invited.id, as)).status).toBe(403)
    expect(await waiting(other)).toEqual([])
    expect((await join(await mailedToken(desk, person.email))).status).toBe(200)
  })
})

describe('SEC-17 the link', () => {
  test('that has expired says what to do, and works again when it was sent again', async () => {
    const { body: invited } = await invite()
    const token = await mailedToken(desk, person.email)
    const days = `extract(epoch from expires_at - created_at)::int / 86400 as days`
    const { rows } = await desk.owner.query(`select ${days} from team_invitations where invitation_id = $1`, [
      invited.id,
    ])
    expect(rows).toEqual([{ days: 7 }])
    await desk.owner.query('update team_invitations set expires_at = now() where invitation_id = $1', [
      invited.id,
    ])
    for (const call of [read, join]) {
      const { status, refusal } = await call(token)
      expect([status, refusal.message]).toEqual([
        400,
        'This invitation has expired. Please ask the shop to send it again.',
      ])
    }
    expect(await merchantOf()).toBeNull()
    await resend(invited.id)
    expect((await join(await mailedToken(desk, person.email))).status).toBe(200)
  })

  test('of two shops, the first that is followed wins; followed at once, one of them', async () => {
    for (let round = 0; round < 5; round++) {
      person = await desk.addPerson(null, undefined)
      const answers = [await invite(shop), await invite(other)]
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
      const [theirs, ours] = await mailsTo(desk, person.email)
      const tokens = [ours, theirs].map((mail) => mail?.links[0]?.split('/').at(-1) ?? '')
      const joined = await Promise.all(tokens.map(join))
      expect(joined.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const winner = joined[0]?.status === 200 ? shop : other
      expect(await merchantOf()).toBe(winner.key)
      expect(joined.find(({ status }) => status === 409)?.refusal.code).toBe('has_merchant')
    }
  })

  test('of a shop whose person works elsewhere by now is not sent again; it works when they have left', async () => {
    const { body: invited } = await invite(shop)
    const ours = await mailedToken(desk, person.email)
    await invite(other)
    await join(await mailedToken(desk, person.email))
    expect(await refusalOf(resend(invited.id))).toEqual([409, 'email_exists'])
    expect(await refusalOf(join(ours))).toEqual([409, 'has_merchant'])
    await revoke(person.id, other.owner)
    expect((await join(ours)).status).toBe(200)
  })

  test('is not worth anything once the account has another address, nor for another account at this one', async () => {
    const { email } = person
    const { body: invited } = await invite()
    const token = await mailedToken(desk, email)
    await desk.call('POST /a/v2/users/{id}', {
      as: person,
      params: { id: person.id },
      body: { email: `new-${email}`, password },
    })
    expect(await refusalOf(join(token))).toEqual([400, 'bad_invitation'])
    const stranger = { email, first_name: 'Mallory', last_name: 'X', password, birthday: '1990-01-02' }
    const { body: strange } = await desk.call('POST /a/v2/users', {
      as: applicationCredential,
      body: stranger,
    })
    expect(await refusalOf(join(token))).toEqual([400, 'bad_invitation'])
    expect(await merchantOf()).toBeNull()
    // Sent again, it treats that account as any unproven one: it loses its password to the mailbox.
    expect((await resend(invited.id)).body).toMatchObject({ id: strange.id, first_name: 'Ada' })
    expect((await listed()).filter((user) => user.email === email)).toHaveLength(1)
  })

  test('still works after a new password', async () => {
    await invite()
    const token = await mailedToken(desk, person.email)
    await desk.call('POST /a/v2/users/{id}', {
      as: person,
      params: { id: person.id },
      body: { password, new_password: 'another password' },
    })
    expect((await join(token)).status).toBe(200)
  })

  test('waits for a withdrawal under way, and is worth nothing then', async () => {
    const { body: invited } = await invite()
    const token = await mailedToken(desk, person.email)
    const held = await holdRows(desk, 'select 1 from merchants where merchant_id = $1 for update', [shop.key])
    const late = refusalOf(join(token))
    await held.waiting(1)
    await held.query('delete from team_invitations where invitation_id = $1', [invited.id])
    await held.release()
    expect(await late).toEqual([400, 'bad_invitation'])
    expect(await merchantOf()).toBeNull()
  })

  test('that nobody mailed is refused', async () => {
    for (const call of [read, join])
      expect(await refusalOf(call(randomUUID()))).toEqual([400, 'bad_invitation'])
  })
})
