import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { hashPassword } from '#sign-in/public.ts'
import { urlOf } from '../test/database/database-url.ts'
import { liveSettings, openDesk, type Desk } from '../test/desk.ts'
import { done, runHere, startFile } from '../test/processes/run-command.ts'
import { demoPassword } from './demo-people.ts'
import { refuseDemoAccounts } from './left-over-demo.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk(liveSettings)
})
afterAll(() => desk.stop())

async function databaseUrl(): Promise<string> {
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  return urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
}

test('a shop does not start, and sends nothing, on a database whose demo accounts still have the demo’s password', async () => {
  await desk.owner.query(
    `insert into users (user_id, email, email_key, first_name, last_name, password_hash)
     values ('tried', 'owner@demo.test', 'owner@demo.test', 'A', 'B', $1)`,
    [await hashPassword(demoPassword)],
  )
  await desk.owner.query(
    `insert into outgoing_mails (mail_id, recipient, subject, letter_sealed) values ('of-demo', 'a@demo.test', 'Demo', '')`,
  )
  const DATABASE_URL = await databaseUrl()
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
}, 180_000)

test('a shop whose settings got lost does not open as the demo, and no command works on it with the demo’s secrets', async () => {
  const env = {
    DATABASE_URL: await databaseUrl(),
    DATA_DIR: desk.config.dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
  }
  const password = async (settings: Record<string, string>) =>
    runHere(['set-password', '--email', 'tried@example.com', '--password-stdin'], {
      env: { ...env, ...settings },
      input: 'a password of their own',
    })
  await desk.owner.query(
    `insert into users (user_id, email, email_key, first_name, last_name)
     values ('own', 'tried@example.com', 'tried@example.com', 'A', 'B')`,
  )
  await done(password({ DEMO: '1' }))

  const live = startFile('main.ts', { env: { ...env, ...liveSettings } })
  live.child.stdout?.on('data', (text: string) => {
    if (text.includes('Cellarhand is ready')) live.child.kill('SIGTERM')
  })
  const { out: begun, err: wrong } = await live.ended
  expect([begun, wrong]).toEqual([expect.stringMatching(/^Cellarhand is ready/m), ''])

  const said =
    /^A server outside the demo has used this database since .*: set DEMO=0 and the shop's own settings/m
  const { code, out, err } = await startFile('main.ts', { env: { ...env, DEMO: '1' } }).ended
  expect([code, out, err]).toEqual([1, '', expect.stringMatching(said)])
  const move = runHere(['move-merchant', '--merchant', 'harbor', '--start'], { env: { ...env, DEMO: '1' } })
  for (const tried of [password({ DEMO: '1' }), move])
    expect(await tried).toMatchObject({ code: 1, out: '', err: expect.stringMatching(said) })
  await done(password(liveSettings))
}, 180_000)
