import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { hashPassword } from '#sign-in/public.ts'
import { urlOf } from '../test/database/database-url.ts'
import { liveSettings, openDesk, type Desk } from '../test/desk.ts'
import { startFile } from '../test/processes/run-command.ts'
import { demoPassword } from './demo-people.ts'
import { refuseDemoAccounts } from './left-over-demo.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk(liveSettings)
})
afterAll(() => desk.stop())

test('a shop does not start on a database whose demo accounts still have the demo’s password', async () => {
  await desk.owner.query(
    `insert into users (user_id, email, email_key, first_name, last_name, password_hash)
     values ('tried', 'owner@demo.test', 'owner@demo.test', 'A', 'B', $1)`,
    [await hashPassword(demoPassword)],
  )
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  const DATABASE_URL = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  const env = { ...liveSettings, DATABASE_URL, PORT: '0', LOG_LEVEL: 'silent' }
  const { code, err } = await startFile('main.ts', { env }).ended
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^This database holds the demo\b.*owner@demo\.test\.\n$/),
  ])
  await desk.owner.query("update users set password_hash = $1 where user_id = 'tried'", [
    await hashPassword('a password of their own'),
  ])
  await refuseDemoAccounts(desk.app.db)
}, 120_000)
