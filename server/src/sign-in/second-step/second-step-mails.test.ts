import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, password, type Desk } from '../../../test/desk.ts'
import { codeOf } from '../../../test/one-time-code.ts'
import { mailsTo } from '../../../test/providers/mailbox.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

test('SEC-14 whoever’s second step is switched on, renewed or switched off is told by mail', async () => {
  const shop = await desk.openShop()
  const person = await desk.addPerson(shop.key, 'merch.user')
  const params = { id: person.id }
  const told = async () => (await mailsTo(desk, person.email)).map(({ subject }) => subject)
  const asked = async (path: '' | 'confirmation' | 'recovery_codes' | 'removal', body: object) =>
    desk.call(`POST /a/v2/users/{id}/two_step${path && `/${path}`}` as 'POST /a/v2/users/{id}/two_step', {
      as: person,
      params,
      body: body as { password: string },
    })
  const turnOn = async () => {
    const { secret } = (await asked('', { password })).body
    expect((await asked('confirmation', { code: codeOf(secret) })).status).toBe(200)
    await desk.owner.query('update users set two_step_last_counter = 0 where user_id = $1', [person.id])
    return () => codeOf(secret)
  }

  expect((await asked('', { password })).status).toBe(201)
  expect((await asked('confirmation', { code: '12345x' })).status).toBe(400)
  expect(await told()).toEqual([])

  const code = await turnOn()
  expect(await told()).toEqual(['Two-step sign-in is on'])

  expect((await asked('recovery_codes', { password, code: 'wrong' })).status).toBe(400)
  expect((await asked('recovery_codes', { password, code: code() })).status).toBe(200)
  expect(await told()).toEqual(['Your recovery codes were replaced', 'Two-step sign-in is on'])

  await desk.owner.query('update users set two_step_last_counter = 0 where user_id = $1', [person.id])
  expect((await asked('removal', { password, code: code() })).status).toBe(200)
  expect((await told())[0]).toBe('Two-step sign-in is off')
})
