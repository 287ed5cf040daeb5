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

test('a shop does not start, and sends nothing, on a database whose demo accounts still have the demo’s password', async () => {
  await desk.owner.query(
    `insert into users (user_id, email, email_key, first_name, last_name, password_hash)
     values ('tried', 'owner@demo.test', 'owner@demo.test', 'A', 'B', $1)`,
    [await hashPassword(demoPassword)],
  )
  await desk.owner.query(
    `insert into outgoing_mails (mail_id, recipient, subject, letter_sealed) values ('of-demo', 'a@demo.test', 'Demo', '')`,
  )
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  const DATABASE_URL = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  const env = {
    ...liveSettings,
    DATABASE_URL,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'desk@shop.example',
  }
  const { code, err } = await startFile('main.ts', { env }).ended
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^This database holds the demo\b.*owner@demo\.test\.\n$/),
  ])
  const { rows: mails } = await desk.owner.query('select attempts from outgoing_mails')
  expect(mails).toEqual([{ attempts: 0 }])
  await desk.owner.query("update users set password_hash = $1 where user_id = 'tried'", [
    await hashPassword('a password of their own'),
  ])
  await refuseDemoAccounts({ url: DATABASE_URL })
}, 120_000)
