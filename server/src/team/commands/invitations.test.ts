import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { mailedToken, mailsTo } from '../../../test/providers/mailbox.ts'
import { textOf } from '../../../test/refusals.ts'

let desk: Desk
let shop: Shop
let other: Shop
let invited: { id: string; email: string }
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  other = await desk.openShop()
})
beforeEach(async () => {
  invited = await invite()
})
afterAll(async () => desk.stop())

async function invite(as = shop.owner, tmk = shop.key): Promise<{ id: string; email: string }> {
  const email = `new-${randomUUID()}@example.com`
  const { body } = await desk.call('POST /c/v2/merchants/{tmk}/users', {
    as,
    params: { tmk },
    body: { email, first_name: 'Ada', last_name: 'Cole', roles: ['merch.owner'] },
  })
  return { id: body.id, email }
}
const resend = async (id = invited.id, as: Person = shop.owner) =>
  desk.call('POST /c/v2/merchants/{tmk}/users/{id}/invitation', { as, params: { tmk: shop.key, id } })
const withdraw = async (id = invited.id, as: Person = shop.owner) =>
  desk.call('DELETE /c/v2/merchants/{tmk}/users/{id}/invitation', { as, params: { tmk: shop.key, id } })
const accept = async (token: string) =>
  desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { new_password: 'chosen by Ada', reset_token: token },
  })
const listed = async (id: string) => {
  const { body } = await desk.call('GET /c/v2/merchants/{tmk}/users', {
    as: shop.owner,
    params: { tmk: shop.key },
  })
  return body.items.find((item) => item.id === id)
}

test('the list marks invited people until they set a password', async () => {
  expect((await listed(invited.id))?.invitation_pending).toBe(true)
  expect((await listed(shop.member.id))?.invitation_pending).toBe(false)
  expect((await accept(await mailedToken(desk, invited.email))).status).toBe(200)
  expect((await listed(invited.id))?.invitation_pending).toBe(false)
})

describe('resending', () => {
  test('mails a new link and ends the earlier one', async () => {
    const earlier = await mailedToken(desk, invited.email)
    const { status, body } = await resend()
    expect([status, body.invitation_pending]).toEqual([200, true])
    const later = await mailedToken(desk, invited.email)
    expect(await mailsTo(desk, invited.email)).toHaveLength(2)
    expect([(await accept(earlier)).status, (await accept(later)).status]).toEqual([400, 200])
  })

  test('works at most five times an hour', async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, () => resend()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await mailsTo(desk, invited.email)).toHaveLength(6)
  })
})

describe('withdrawing', () => {
  test('removes a person who never signed in, ends the link, and frees the e-mail', async () => {
    const token = await mailedToken(desk, invited.email)
    const answer = await withdraw()
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect(await listed(invited.id)).toBeUndefined()
    expect((await accept(token)).status).toBe(400)
    expect((await desk.owner.query('select 1 from users where user_id = $1', [invited.id])).rows).toEqual([])
    expect((await withdraw()).status).toBe(404)
    const again = await desk.call('POST /c/v2/merchants/{tmk}/users', {
      as: other.owner,
      params: { tmk: other.key },
      body: { email: invited.email, first_name: 'A', last_name: 'B', roles: ['merch.user'] },
    })
    expect(again.status).toBe(201)
  })

  test('only detaches a person who already worked here by the marketplace’s link, and signs them out', async () => {
    const { body } = await desk.call('POST /marketplace/v1/handover', {
      as: marketplaceCredential,
      body: { user: invited.id, merchant: shop.key },
    })
    const jwt = new URL(body.url).searchParams.get('jwt') ?? ''
    const session = await desk.call('GET /a/v2/sessions', { as: `Bearer ${jwt}` })
    expect(session.status).toBe(200)
    expect((await withdraw()).status).toBe(200)
    expect((await desk.call('GET /a/v2/sessions', { as: `Bearer ${session.body.token}` })).status).toBe(401)
    const { rows } = await desk.owner.query('select merchant_id, roles from users where user_id = $1', [
      invited.id,
    ])
    expect(rows).toEqual([{ merchant_id: null, roles: [] }])
  })
})

test('a person who has accepted can be neither mailed nor withdrawn', async () => {
  for (const answer of [await resend(shop.member.id), await withdraw(shop.member.id)])
    expect([answer.status, answer.refusal.code]).toEqual([409, 'invitation_accepted'])
  expect((await listed(shop.member.id))?.invitation_pending).toBe(false)
  expect(await mailsTo(desk, shop.member.email)).toEqual([])
})

test('of an accept and a withdrawal at once, one happens', async () => {
  for (let round = 0; round < 15; round++) {
    const { id, email } = await invite()
    const token = await mailedToken(desk, email)
    const [accepted, withdrawn] = await Promise.all([accept(token), withdraw(id)])
    expect([round, accepted.status === 200, withdrawn.status === 200]).toEqual([
      round,
      (await listed(id)) !== undefined,
      (await listed(id)) === undefined,
    ])
  }
})

test('TEAM-003 GAP-163 only another owner of the merchant may; another merchant’s person is a 404', async () => {
  const theirs = await invite(other.owner, other.key)
  for (const call of [resend, withdraw]) {
    for (const as of [shop.member, shop.manager, other.owner])
      expect((await call(invited.id, as)).status).toBe(403)
    expect((await call(shop.owner.id)).refusal.code).toBe('self_edit')
    const [foreign, absent] = [await call(theirs.id), await call('u-000000000000')]
    expect([foreign.status, textOf(foreign)]).toEqual([404, textOf(absent)])
  }
  expect(await mailsTo(desk, theirs.email)).toHaveLength(1)
})

test('inviting and withdrawing in turn floods no mailbox, and costs no other shop and no other address its mails', async () => {
  const email = `flooded-${randomUUID()}@example.com`
  const inviteTo = async (to: string, { owner, key } = shop) =>
    desk.call('POST /c/v2/merchants/{tmk}/users', {
      as: owner,
      params: { tmk: key },
      body: { email: to, first_name: 'A', last_name: 'B', roles: ['merch.user'] },
    })
  for (let round = 0; round < 9; round++)
    expect((await withdraw((await inviteTo(email)).body.id)).status).toBe(200)
  const { id } = (await inviteTo(` ${email.toUpperCase()}`)).body
  const [again, anew] = [await resend(id), (await withdraw(id)) && (await inviteTo(email))]
  for (const refused of [again, anew])
    expect([
      refused.status,
      refused.refusal.code,
      Number(refused.headers.get('retry-after')) > 80_000,
    ]).toEqual([429, 'too_many_requests', true])
  expect([(await inviteTo(email, other)).status, (await inviteTo(`x-${email}`)).status]).toEqual([201, 201])
  const { rows } = await desk.owner.query('select 1 from outgoing_mails where lower(recipient) = $1', [email])
  expect(rows).toHaveLength(11)
})
