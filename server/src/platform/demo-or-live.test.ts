import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { liveSettings, openDesk } from '../../test/desk.ts'
import { mailsTo } from '../../test/providers/mailbox.ts'
import { readConfig } from './config.ts'
import { ConfigError } from './settings/setting.ts'

/** What a start with these settings says. */
function sayingOf(env: Record<string, string>): string {
  try {
    readConfig(env)
    return 'it starts'
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
  }
}

describe('the demo, whose secrets everybody knows', () => {
  test.each<[string, Record<string, string>]>([
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '::' }],
    ['HOST', { HOST: '192.168.1.4' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://desk.example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://127.0.0.1.example.com' }],
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'sk_live_x' }],
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'rk_live_x' }],
    ['EASYPOST_API_KEY', { EASYPOST_API_KEY: 'EZAKx', EASYPOST_WEBHOOK_SECRET: 'x' }],
    ['DOORDASH_SIGNING_SECRET', { DOORDASH_SIGNING_SECRET: 'x' }],
    ['UBER_CLIENT_SECRET', { UBER_CLIENT_SECRET: 'x' }],
    ['UBER_CLIENT_SECRET', { UBER_CLIENT_SECRET: 'x', UBER_URL: 'http://127.0.0.1:9000' }],
    ['TWILIO_AUTH_TOKEN', { TWILIO_AUTH_TOKEN: 'x' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://mail.example.com:587', PUBLIC_URL: 'http://localhost:4400' }],
    ['GOOGLE_MAPS_KEY', { GOOGLE_MAPS_KEY: 'x' }],
    ['S3_SECRET_ACCESS_KEY', { S3_SECRET_ACCESS_KEY: 'x', S3_ENDPOINT: 'https://s3.example.com/bucket' }],
    ['SEGMENT_WRITE_KEY', { SEGMENT_WRITE_KEY: 'x' }],
    ['SENTRY_DSN', { SENTRY_DSN: 'https://key@sentry.example.com/1' }],
    ['PRISMIC_ACCESS_TOKEN', { PRISMIC_ACCESS_TOKEN: 'x', PRISMIC_REPOSITORY: 'shop' }],
  ])('does not start with %s of a live shop: %o', (name, env) => {
    for (const demo of [{}, { DEMO: '1' }, { DEMO: '1', DATABASE_URL: 'postgres://127.0.0.1/x' }]) {
      const said = sayingOf({ ...demo, ...env })
      expect(said).toMatch(new RegExp(`^${name}\\b[^\\n]*DEMO=0 and secrets of your own\\.$`))
    }
    expect(sayingOf({ ...liveSettings, ...env })).not.toContain('the demo')
  })

  test('starts behind a proxy only where somebody has said that it is the demo', () => {
    expect(sayingOf({ TRUST_PROXY: '1' })).toMatch(/^TRUST_PROXY=1 .*set DEMO=0 and secrets of your own/)
    expect(sayingOf({ TRUST_PROXY: '1', DEMO: '1' })).toBe('it starts')
    // Off.
    expect(sayingOf({ TRUST_PROXY: '0' })).toBe('it starts')
  })

  test('starts on this machine, also beside providers’ test keys and stand-ins', () => {
    const settings = {
      HOST: 'localhost',
      PUBLIC_URL: 'http://[::1]:4400',
      STRIPE_SECRET_KEY: 'sk_test_x',
      EASYPOST_API_KEY: 'EZTKx',
      EASYPOST_WEBHOOK_SECRET: 'x',
      TWILIO_AUTH_TOKEN: 'x',
      TWILIO_URL: 'http://127.0.0.1:9000',
    }
    expect(readConfig(settings).isDemo).toBe(true)
  })
})

describe('a shop', () => {
  const secrets = [
    'APP_CREDENTIAL',
    'MARKETPLACE_CREDENTIAL',
    'SESSION_SECRET',
    'SEALING_KEY',
    'METRICS_CREDENTIAL',
    'MAIL_WEBHOOK_CREDENTIAL',
    'DOORDASH_WEBHOOK_CREDENTIAL',
    'UBER_WEBHOOK_KEY',
    'EASYPOST_WEBHOOK_SECRET',
    'STRIPE_WEBHOOK_SECRET',
  ]
  const written = (name: string, secret: string) =>
    name.endsWith('_CREDENTIAL') ? `${name.toLowerCase()}:${secret}` : secret
  const pairs = secrets.flatMap((one, index) =>
    secrets.slice(index + 1).map((other) => [one, other] as const),
  )

  test.each(pairs)('does not start while %s and %s are one secret', (one, other) => {
    const same = 'the-same-secret-of-forty-characters-twice'
    const said = sayingOf({ ...liveSettings, [one]: written(one, same), [other]: written(other, same) })
    expect(said).toMatch(
      new RegExp(`^${one} and ${other} are the same secret: set ${other} to another one\\b.*\\.$`),
    )
    expect(said).not.toContain(same)
  })

  test.each([
    ['APP_CREDENTIAL', 'dashboard:dashboard'],
    ['APP_CREDENTIAL', 'app:dashboard'],
    ['APP_CREDENTIAL', 'shop-app:shop-app'],
    ['MARKETPLACE_CREDENTIAL', 'marketplace:marketplace'],
    ['MARKETPLACE_CREDENTIAL', 'marketplace:password'],
    ['SESSION_SECRET', 'demo-session-secret-of-no-worth-outside-the-demo'],
    ['SEALING_KEY', 'demo-session-secret-of-no-worth-outside-the-demo'],
    ['METRICS_CREDENTIAL', 'prometheus:prometheus'],
    ['MARKETPLACE_CREDENTIAL', 'marketplace: Marketplace '],
    ['SESSION_SECRET', ' demo-session-secret-of-no-worth-outside-the-demo '],
  ])('does not start on a %s that everybody knows: %s', (name, value) => {
    expect(sayingOf({ ...liveSettings, [name]: value })).toMatch(
      new RegExp(`^${name} is a secret that everybody knows: set ${name} to one of your own\\b.*\\.$`),
    )
  })

  test.each([
    'SESSION_SECRET',
    'SEALING_KEY',
    'STRIPE_SECRET_KEY',
    'EASYPOST_API_KEY',
    'DOORDASH_SIGNING_SECRET',
    'UBER_CLIENT_SECRET',
    'TWILIO_AUTH_TOKEN',
    'S3_SECRET_ACCESS_KEY',
  ])('does not start with a %s that is in the page, with its name or without', (name) => {
    const secret = 'a-secret-of-forty-characters-and-some-more'
    const APP_CREDENTIAL = `dashboard:${secret}`
    for (const same of [secret, APP_CREDENTIAL])
      expect(sayingOf({ ...liveSettings, APP_CREDENTIAL, [name]: same })).toMatch(
        new RegExp(`^APP_CREDENTIAL and ${name} are the same secret\\b`),
      )
    const own = { ...liveSettings, UBER_CLIENT_SECRET: secret, UBER_WEBHOOK_KEY: secret }
    expect(sayingOf(own)).toBe('it starts')
  })

  test.each<[string, (password: string) => string]>([
    ['GOOGLE_MAPS_SIGNING_SECRET', (password) => password],
    ['SMTP_URL', (password) => `smtp://desk:${password}@mail.example.com:587`],
    ['DATABASE_URL', (password) => `postgres://desk:${password}@db.example.com/cellarhand`],
  ])('does not start while the page shows the password in %s', (name, written) => {
    const mails = { MAIL_FROM: 'desk@shop.example' }
    const said = sayingOf({
      ...liveSettings,
      ...mails,
      APP_CREDENTIAL: 'dashboard:open/sesame',
      [name]: written(name.endsWith('_URL') ? encodeURIComponent('open/sesame') : 'open/sesame'),
    })
    expect(said).toMatch(new RegExp(`^APP_CREDENTIAL and ${name} are the same secret\\b`))
    expect(said).not.toContain('sesame')
    for (const other of ['another-password', '100%'])
      expect(sayingOf({ ...liveSettings, ...mails, [name]: written(other) })).toBe('it starts')
  })

  test('does not start while two secrets differ by spaces around them or by cases alone', () => {
    const key = liveSettings.SESSION_SECRET
    for (const SEALING_KEY of [`${key} `, key.toUpperCase()])
      expect(sayingOf({ ...liveSettings, SEALING_KEY })).toMatch(
        /^SESSION_SECRET and SEALING_KEY are the same/,
      )
  })

  test('does not start without a secret of its own', () => {
    for (const name of ['APP_CREDENTIAL', 'MARKETPLACE_CREDENTIAL', 'SESSION_SECRET'])
      expect(sayingOf({ ...liveSettings, [name]: '' })).toMatch(new RegExp(`^${name} is not set`))
    expect(sayingOf(liveSettings)).toBe('it starts')
  })
})

test('what is made to run a shop runs no demo: the systemd unit and the image', async () => {
  const read = async (path: string) =>
    readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
  const unit = await read('ops/cellarhand.service')
  const env = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  expect(sayingOf(env)).toMatch(/^SESSION_SECRET is not set/m)
  expect(await read('Dockerfile')).toMatch(/^ENV .*\bDEMO=0\b/m)
})

describe('mails', () => {
  const askFor = async (desk: Awaited<ReturnType<typeof openDesk>>, email: string, credential: string) =>
    desk.send('POST', '/a/v2/accounts/password_token', {
      as: `Basic ${Buffer.from(credential).toString('base64')}`,
      body: { email },
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })

  test('lead to this server, whatever a request calls it', async () => {
    const desk = await openDesk({ TRUST_PROXY: '1' })
    try {
      const shop = await desk.openShop()
      expect((await askFor(desk, shop.member.email, desk.config.applicationCredential)).status).toBe(200)
      const [mail] = await mailsTo(desk, shop.member.email)
      expect(mail?.links[0]).toMatch(new RegExp(`^${desk.url}/forgot/`))
    } finally {
      await desk.stop()
    }
  })

  test('of a shop without PUBLIC_URL are not written, and who asked for one is told so', async () => {
    const desk = await openDesk({ ...liveSettings, PUBLIC_URL: '' })
    try {
      const shop = await desk.openShop()
      const invite = async () =>
        desk.call('POST /c/v2/merchants/{tmk}/users', {
          as: shop.owner,
          params: { tmk: shop.key },
          body: { email: 'new@example.com', first_name: 'A', last_name: 'B', roles: ['merch.user'] },
        })
      for (const answer of [
        await askFor(desk, shop.member.email, desk.config.applicationCredential),
        await askFor(desk, 'nobody@example.com', desk.config.applicationCredential),
        await invite(),
      ]) {
        expect([answer.status, answer.refusal.code]).toEqual([503, 'public_url_missing'])
        expect(answer.refusal.message).toContain('PUBLIC_URL')
      }
      const kept = await desk.owner.query('select 1 from outgoing_mails')
      const invited = await desk.owner.query("select 1 from users where email = 'new@example.com'")
      expect([kept.rows, invited.rows]).toEqual([[], []])
    } finally {
      await desk.stop()
    }
  })
})
