import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationCredential, openDesk, password, type Desk } from '../../test/desk.ts'
import { signInUpkeep } from './upkeep.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

test('while messages to a device stand on a session, it stays after its time, and signing out everywhere ends it', async () => {
  const shop = await desk.openShop()
  const person = await desk.addPerson(shop.key, 'merch.user')
  await desk.owner.query(`update sessions set expires_at = now() - interval '1 day' where user_id = $1`, [
    person.id,
  ])
  await desk.owner.query(
    `insert into push_devices (merchant_id, device_id, user_id, session_id, endpoint_digest, subscription_sealed, due_orders)
     select $1, 'phone', user_id, session_id, 'x', 'x', true from sessions where user_id = $2`,
    [shop.key, person.id],
  )
  const { body: signedIn } = await desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: person.email, password },
  })
  const [sweep] = signInUpkeep.sweeps ?? []
  await desk.owner.query(`delete from sessions where ${sweep?.which ?? ''}`)
  const { body } = await desk.call('DELETE /a/v2/users/{id}/sessions', {
    as: `Bearer ${signedIn.token}`,
    params: { id: person.id },
  })
  // It had run out, so nobody is told that one more was ended.
  expect(body).toEqual({ ended: 0 })
  const { rows } = await desk.owner.query(
    `select s.ended_at is not null as ended from push_devices d join sessions s using (session_id) where d.merchant_id = $1`,
    [shop.key],
  )
  expect(rows).toEqual([{ ended: true }])
})
