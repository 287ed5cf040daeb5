import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { applicationCredential, openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { codeOf } from '../../../test/one-time-code.ts'
import { mailedToken } from '../../../test/providers/mailbox.ts'

let desk: Desk
let shop: Shop
let email: string
beforeAll(async () => {
  desk = await openDesk({ TRUST_PROXY: '1' })
  shop = await desk.openShop()
})
beforeEach(() => {
  email = `victim-${randomUUID()}@example.com`
})
afterAll(async () => desk.stop())

const strange = '198.51.100.66'
const chosen = 'chosen by the victim'
const signIn = async (secret: string, from: string, as = email) =>
  desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: as, password: secret },
    headers: { 'x-forwarded-for': from },
  })
const askForLink = async () =>
  desk.call('POST /a/v2/accounts/password_token', { as: applicationCredential, body: { email } })
const followLink = async () =>
  desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { new_password: chosen, reset_token: await mailedToken(desk, email) },
    headers: { 'x-forwarded-for': '203.0.113.10' },
  })

/** A stranger signs up with the victim's address, comes in from the strange network, and sets up a second step. */
async function signUpAsVictim(): Promise<void> {
  await desk.call('POST /a/v2/users', {
    as: applicationCredential,
    body: { first_name: 'M', last_name: 'X', email, password: 'known to mallory', birthday: '1990-01-02' },
  })
  const { user, token } = (await signIn('known to mallory', strange)).body
  const asMallory = { as: `Bearer ${token}`, params: { id: user.id } }
  const { secret } = (
    await desk.call('POST /a/v2/users/{id}/two_step', {
      ...asMallory,
      body: { password: 'known to mallory' },
    })
  ).body
  const confirmed = await desk.call('POST /a/v2/users/{id}/two_step/confirmation', {
    ...asMallory,
    body: { code: codeOf(secret) },
  })
  expect(confirmed.status).toBe(200)
}

/** Guesses from a known network are counted apart from all others, so there they go on after the ten for an e-mail. */
async function isKnown(network: string, who: string): Promise<boolean> {
  await desk.owner.query('delete from rate_limits')
  for (let index = 0; index < 10; index++) await signIn('a guess', `192.0.2.${index}`, who)
  return (await signIn('a guess', network, who)).status === 401
}

test('GAP-51 whoever sets the first password by mail has none of the second steps that a stranger set up before', async () => {
  await signUpAsVictim()
  await askForLink()
  expect((await followLink()).status).toBe(200)
  const { status, body } = await signIn(chosen, '203.0.113.10')
  expect([status, body.user.email]).toEqual([201, email])
  const own = { as: `Bearer ${body.token}`, params: { id: body.user.id } }
  expect((await desk.call('GET /a/v2/users/{id}/two_step', own)).body).toEqual({
    is_on: false,
    is_required: false,
    recovery_codes_left: 0,
  })
  expect([await isKnown(strange, email), await isKnown('203.0.113.10', email)]).toEqual([false, true])
})

test('GAP-51 a network in which a stranger used an account before its invitation is none of the shop’s', async () => {
  await signUpAsVictim()
  const invited = await desk.call('POST /c/v2/merchants/{tmk}/users', {
    as: shop.owner,
    params: { tmk: shop.key },
    body: { email, first_name: 'Ada', last_name: 'Cole', roles: ['merch.user'] },
  })
  expect(invited.status).toBe(201)
  await followLink()
  expect((await signIn(chosen, '203.0.113.10')).status).toBe(201)
  for (const who of [email, shop.owner.email])
    expect([await isKnown(strange, who), await isKnown('203.0.113.10', who)]).toEqual([false, true])
})
