import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { urlOf } from '../test/database/database-url.ts'
import { applicationCredential, openDesk, type Desk } from '../test/desk.ts'
import { mailsTo } from '../test/providers/mailbox.ts'
import { runHere, startFile, type Ended } from '../test/processes/run-command.ts'

let desk: Desk
let databaseUrl: string
let folder: string
beforeAll(async () => {
  desk = await openDesk()
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  databaseUrl = urlOf({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-'))
})
afterAll(async () => {
  await desk.stop()
  await rm(folder, { recursive: true })
})

const ownEnvironment = () => ({ DATABASE_URL: databaseUrl, DEMO: '1', INIT_CWD: folder })

function admin(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Ended> {
  return runHere(args, { input, env: { ...ownEnvironment(), ...env } })
}

/** As `npm run admin` does it, in a process with its own input, outputs and exit code. */
async function adminProcess(args: readonly string[], input = ''): Promise<Ended> {
  return startFile('admin.ts', { args, input, env: ownEnvironment() }).ended
}

const acme = [
  'create-merchant',
  '--key',
  'acme',
  '--name',
  'Acme',
  '--timezone',
  'America/Chicago',
  '--email',
  'hi@acme.example.com',
  '--phone',
  '3125550123',
  '--street',
  '1 Lake St',
  '--city',
  'Chicago',
  '--state',
  'IL',
  '--zip',
  '60601',
  '--owner-email',
  'o@acme.example.com',
  '--owner-first-name',
  'Ada',
  '--owner-last-name',
  'Cole',
]

async function signIn(email: string, password: string): Promise<number> {
  const { status } = await desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email, password },
  })
  return status
}

test('GAP-42 a merchant is made with its owner, who gets a mailed link that sets the password', async () => {
  const away = await admin(acme, '', {
    DEMO: '0',
    SESSION_SECRET: 'x'.repeat(32),
    APP_CREDENTIAL: 'a:a-secret-of-its-own',
    MARKETPLACE_CREDENTIAL: 'a:another-secret',
  })
  expect(away).toMatchObject({ code: 1, err: expect.stringContaining('PUBLIC_URL') })
  const { code, out } = await admin(acme, '', { PUBLIC_URL: 'http://localhost:4401' })
  expect(code).toBe(0)
  expect(out).toContain('A mail with a link that sets the password is on its way')
  const readOutbox = async () => JSON.stringify((await desk.call('GET /demo/outbox.json')).body)
  await expect.poll(readOutbox).toContain('http://localhost:4401/forgot/password-reset/')
  const link = await readOutbox()
  const token = /password-reset\/([\w-]+)/.exec(link)?.[1] ?? ''
  const set = await desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { new_password: 'chosen by the owner', reset_token: token },
  })
  expect(set.status).toBe(200)
  expect(await signIn('o@acme.example.com', 'chosen by the owner')).toBe(201)
  const again = await admin(acme)
  expect(again).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^key: There is a merchant "acme" already$/m),
  })
})

test('a command names its database without the password, and never makes one', async () => {
  const { err } = await admin(['held'])
  expect(err).toMatch(/^The database "\w+" on [^:]+(:\d+)?:$/m)
  expect(err).not.toContain(inject('databaseServer').password ?? 'no password')

  const dataDir = join(folder, 'nowhere')
  const nowhere = await admin(acme, '', { DATABASE_URL: '', DATA_DIR: dataDir })
  expect(nowhere).toMatchObject({ code: 1, out: '' })
  expect(nowhere.err).toContain(`There is no database in ${dataDir}.`)
  expect(await readdir(dataDir).catch(() => [])).toEqual([])

  const empty = `empty_${randomUUID().replaceAll('-', '')}`
  await desk.owner.query(`create database ${empty}`)
  const emptyUrl = urlOf({ ...inject('databaseServer'), database: empty })
  for (const command of [['held'], ['backup', '--to', join(folder, 'copy')], acme]) {
    const refused = await admin(command, '', { DATABASE_URL: emptyUrl })
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain('is empty. Set DATABASE_URL or DATA_DIR as the server has it')
  }
  await desk.owner.query(`drop database ${empty}`)
})

test('backups of one folder are named after the time, and the newest whole ones stay', async () => {
  const all = join(folder, 'all')
  for (const name of ['2026-01-01T00-00-00', '2026-01-02T00-00-00', '2026-01-03T00-00-00', 'notes'])
    await mkdir(join(all, name), { recursive: true })
  for (const whole of ['2026-01-01T00-00-00', '2026-01-02T00-00-00', 'notes'])
    await writeFile(join(all, whole, 'manifest.json'), '{}')
  const { code, out } = await admin(['backup', '--into', 'all', '--keep', '2'])
  expect(code).toBe(0)
  const [fresh = ''] = /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/.exec(out) ?? []
  expect(out).toContain('Removed the old backup 2026-01-01T00-00-00.')
  expect((await readdir(all)).toSorted()).toEqual([
    '2026-01-02T00-00-00',
    '2026-01-03T00-00-00',
    fresh,
    'notes',
  ])
  expect(JSON.parse(await readFile(join(all, fresh, 'manifest.json'), 'utf8'))).toMatchObject({ format: 1 })
  for (const wrong of [
    [],
    ['--to', 'a', '--into', 'b'],
    ['--to', 'a', '--keep', '2'],
    ['--into', 'b', '--keep', '0'],
  ])
    expect(await admin(['backup', ...wrong])).toMatchObject({ code: 2, out: '' })
})

test('a finished backup that the database cannot note is no failure, and old ones are removed after it', async () => {
  const all = join(folder, 'unnoted')
  for (const name of ['2026-01-01T00-00-00', '2026-01-02T00-00-00']) {
    await mkdir(join(all, name), { recursive: true })
    await writeFile(join(all, name, 'manifest.json'), '{}')
  }
  await desk.owner.query('revoke insert on last_backup from cellarhand_system')
  const { code, out, err } = await admin(['backup', '--into', 'unnoted', '--keep', '2'])
  await desk.owner.query('grant insert on last_backup to cellarhand_system')
  expect([code, out]).toEqual([0, expect.stringContaining('Removed the old backup 2026-01-01T00-00-00.')])
  expect(err).toContain('The backup is finished, but the database did not note it (permission denied')
})

test('a given password is read from the input and never printed', async () => {
  const args = ['create-user', '--email', 'm@acme.example.com', '--first-name', 'M', '--last-name', 'N']
  const made = await adminProcess(
    [...args, '--merchant', 'acme', '--role', 'merch.user', '--password-stdin'],
    'a given one!\n',
  )
  expect(made.code).toBe(0)
  expect(made.out).not.toContain('a given one!')
  expect(await signIn('m@acme.example.com', 'a given one!')).toBe(201)
  const changed = await admin(
    ['set-password', '--email', 'm@acme.example.com', '--password-stdin'],
    'a later one!\r\n',
  )
  expect(changed.out).toContain('ended sessions: 1')
  expect(await signIn('m@acme.example.com', 'a later one!')).toBe(201)
})

test('a stock list is imported from the caller’s folder, and its bad lines make the command fail', async () => {
  await writeFile(join(folder, 'stock.csv'), 'offering_id,price,quantity\nA,5,1\nB,x,1\n')
  const { code, out } = await admin(['import-inventory', '--merchant', 'acme', 'stock.csv'])
  expect(code).toBe(1)
  expect(out).toContain('line 3: price')
  expect(out).toContain('New: 1, updated: 0, lines that could not be taken: 1.')
  expect((await admin(['import-inventory', '--merchant', 'acme', 'none.csv'])).err).toContain(
    'cannot be read',
  )
})

test('a stock list or a file of rules in another encoding than UTF-8 is refused, not stored with broken letters', async () => {
  const latin = Buffer.from('offering_id,price,quantity,product_name\nA,5,1,Château\n', 'latin1')
  await writeFile(join(folder, 'latin.csv'), latin)
  for (const command of [['import-inventory', '--merchant', 'acme'], ['load-duties']]) {
    const { code, err } = await admin([...command, 'latin.csv'])
    expect([code, err]).toEqual([2, expect.stringContaining('UTF-8')])
  }
})

test('CONT-001 CONT-002 CONT-003 API-055 GAP-26 a banner is published, replaced and withdrawn', async () => {
  const read = async (name: 'welcome_message' | 'merchant_dashboard_news') =>
    desk.call('GET /v1/documents/{name}', { params: { name } })
  const news = ['publish-content', '--name', 'merchant_dashboard_news']
  expect((await read('merchant_dashboard_news')).refusal.code).toBe('not_found')
  const full = ['--text', 'Closed on Monday', '--message', 'We <b>move</b>.', '--title', 'Moving']
  expect((await admin([...news, ...full, '--color', '#7b1e3a'])).out).toBe(
    '"merchant_dashboard_news" is published.\n',
  )
  const published = await read('merchant_dashboard_news')
  expect([published.status, published.body]).toEqual([
    200,
    {
      name: 'merchant_dashboard_news',
      data: {
        notification_text: 'Closed on Monday',
        message: 'We <b>move</b>.',
        modal_title: 'Moving',
        notification_color: '#7b1e3a',
      },
    },
  ])
  expect((await read('welcome_message')).status).toBe(404)
  await admin([...news, '--text', 'Open again'])
  expect((await read('merchant_dashboard_news')).body.data).toEqual({
    notification_text: 'Open again',
    message: null,
    modal_title: null,
    notification_color: null,
  })
  expect((await admin([...news, '--off'])).out).toContain('is taken down')
  expect((await read('merchant_dashboard_news')).status).toBe(404)

  const wrong = await admin(['publish-content', '--name', 'x', '--text', ' ', '--color', 'red;}'])
  expect(wrong).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /:\nname: Must be one of: welcome_message, merchant_dashboard_news\ntext: Please enter what the banner says\ncolor: Must be a colour such as #7b1e3a\n$/,
    ),
  })
})

test('a lost second step is removed, and the user signed out', async () => {
  const shop = await desk.openShop()
  await desk.owner.query('update users set two_step_confirmed_at = now() where user_id = $1', [shop.owner.id])
  const signInAgain = async () => signIn(shop.owner.email, 'a-password-for-tests')
  expect(await signInAgain()).toBe(401)
  expect((await admin(['reset-two-step', '--email', shop.owner.email])).code).toBe(0)
  expect(await signInAgain()).toBe(201)
  expect((await desk.call('GET /a/v2/sessions', { as: shop.owner })).status).toBe(401)
  const subjects = async () => (await mailsTo(desk, shop.owner.email)).map(({ subject }) => subject)
  expect(await subjects()).toEqual(['Two-step sign-in is off'])
  // Nothing changes for a user without one.
  expect((await admin(['reset-two-step', '--email', shop.owner.email])).code).toBe(0)
  expect(await subjects()).toEqual(['Two-step sign-in is off'])
})

test('an unknown argument prints the usage, and exits with code 2', async () => {
  const help = await admin(['help'])
  expect(help.out).toContain('import-inventory')
  expect(help.out).toContain('Keep SESSION_SECRET and SEALING_KEY as well, but apart from it')
  for (const word of ['sing', 'constructor'])
    expect(await admin([word])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`no command "${word}"`),
    })
  const usage = { code: 2, err: expect.stringContaining('Usage:') }
  expect(await admin(['set-onboarded'])).toMatchObject(usage)
  expect(await adminProcess(['set-onboarded'])).toMatchObject(usage)
  const unknown = await admin(['set-onboarded', '--merchant', 'acme', '--loud'])
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('--loud') })
})

test('an unreachable database, or a missing secret, gives one sentence', async () => {
  const away = await admin(['set-onboarded', '--merchant', 'acme'], '', {
    DATABASE_URL: 'postgres://127.0.0.1:1/x',
  })
  expect(away.code).toBe(1)
  expect(away.err).toMatch(/^The database cannot be reached: .*\n$/)
  const secretless = await admin(['set-onboarded', '--merchant', 'acme'], '', { DEMO: '0' })
  expect(secretless.err).toContain('SESSION_SECRET is not set')
})

test('events that were given up are listed with the reason, and sent again', async () => {
  await desk.owner.query(
    `insert into outbox (merchant_id, kind, payload, position, webhook_id, webhook_due_at, webhook_done_at, webhook_attempts, webhook_error)
       values ('acme', 'order.updated', '{"id":"1000017"}', nextval('outbox_positions'), 'evt_lost', now(), now(), 10, 'The receiver answered 503')`,
  )
  const listed = await admin(['given-up'])
  expect(listed.out).toContain('evt_lost acme order.updated of order 1000017: The receiver answered 503')
  for (const args of [[], ['--all', '--event', 'evt_lost']])
    expect(await admin(['send-again', ...args])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Please give either --all or --event'),
    })
  expect(await admin(['send-again', '--event', 'evt_other'])).toMatchObject({
    err: expect.stringContaining('There is no event "evt_other"'),
  })
  expect((await admin(['send-again', '--all'])).out).toContain('Events that are sent again: 1.')
  const { rows } = await desk.owner.query(
    `select webhook_done_at, webhook_attempts, webhook_due_at <= now() as is_due from outbox where webhook_id = 'evt_lost'`,
  )
  expect(rows).toEqual([{ webhook_done_at: null, webhook_attempts: 0, is_due: true }])
  expect((await admin(['given-up'])).out).not.toContain('evt_lost')
})
