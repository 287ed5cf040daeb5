import { expect, test } from 'vitest'
import { liveSettings, openDesk } from '../test/desk.ts'
import { readConfig } from './platform/config.ts'
import { readSettings } from './settings.ts'
import { ConfigError } from './platform/settings/setting.ts'

test('mails leave only from a server that knows its own address, which no request can choose', () => {
  const smtp = {
    ...liveSettings,
    PUBLIC_URL: '',
    SMTP_URL: 'smtp://127.0.0.1:25',
    MAIL_FROM: 'desk@shop.example',
  }
  expect(() => readConfig(smtp)).toThrow(ConfigError)
  expect(() => readConfig(smtp)).toThrow('PUBLIC_URL')
  const config = readConfig({ ...smtp, PUBLIC_URL: 'https://desk.example.com/' })
  expect([config.smtp?.url, config.publicUrl]).toEqual(['smtp://127.0.0.1:25', 'https://desk.example.com'])
})

test('mails come from one address of the shop’s own, and are signed with a key that is one', () => {
  const smtp = { ...liveSettings, SMTP_URL: 'smtp://127.0.0.1:25' }
  for (const from of ['', 'The Desk', 'a@shop.example, b@shop.example', 'x\nBcc: a@b <desk@shop.example>'])
    expect(() => readConfig({ ...smtp, MAIL_FROM: from })).toThrow('MAIL_FROM')
  const whole = { ...smtp, MAIL_FROM: 'The Desk <desk@shop.example>' }
  expect(readConfig(whole).smtp).toMatchObject({ from: whole.MAIL_FROM, dkim: undefined })
  expect(() => readConfig({ ...whole, DKIM_SELECTOR: 'desk' })).toThrow('go together')
  expect(() => readConfig({ ...whole, DKIM_SELECTOR: 'desk', DKIM_PRIVATE_KEY: 'x' })).toThrow('PEM')
  expect(() => readConfig({ DEMO: '1', MAIL_WEBHOOK_CREDENTIAL: 'alone' })).toThrow('name:secret')
})

test('the server trusts forwarded addresses only from named or near proxies', () => {
  const proxies = (text: string) => readConfig({ DEMO: '1', TRUST_PROXY: text }).trustProxy
  expect([proxies(''), proxies('0')]).toEqual([[], []])
  expect(proxies('1')).toContain('loopback')
  expect(proxies('203.0.113.7, 2001:db8::/32')).toEqual(['203.0.113.7', '2001:db8::/32'])
  for (const wrong of ['2', 'yes', 'proxy.example', '10.0.0.0/33', '10.0.0.0/8/1', '::1/129'])
    expect(() => proxies(wrong)).toThrow('TRUST_PROXY')
})

test('API-001 GAP-13 GAP-26 GAP-28 calls may go to other hosts, which the page knows and its policy allows', async () => {
  const desk = await openDesk({
    API_BASE: 'https://api.example.com',
    PAYMENTS_BASE: 'https://pay.example.com/live/',
    CONTENT_BASE: 'https://content.example.com',
    DEV_DOCS_URL: 'https://docs.example.com/merchant',
  })
  try {
    const policy = (await desk.send('GET', '/healthz')).headers.get('content-security-policy')?.split('; ')
    expect(policy).toContain(
      "connect-src 'self' https://api.example.com https://pay.example.com https://content.example.com",
    )
    expect(policy).toContain("frame-src 'self' blob: https://api.example.com https://docs.example.com")
    expect(policy).toContain("script-src 'self'")
    const { headers, text } = await desk.send('GET', '/', { headers: { accept: 'text/html' } })
    expect([headers.get('content-type'), text.replaceAll('&quot;', '"')]).toEqual([
      'text/html; charset=utf-8',
      expect.stringContaining('"payments_base":"https://pay.example.com/live"'),
    ])
  } finally {
    await desk.stop()
  }
  for (const name of ['API_BASE', 'PAYMENTS_BASE', 'CONTENT_BASE', 'DEV_DOCS_URL'])
    expect(() => readConfig({ DEMO: '1', [name]: 'nowhere' })).toThrow(name)
})

test('VIEW-010 product pictures may come from the hosts that the settings name, and from no others', async () => {
  const desk = await openDesk({ IMAGE_HOSTS: 'https://images.example.com, https://*.cdn.example:8443' })
  try {
    const policy = (await desk.send('GET', '/healthz')).headers.get('content-security-policy')?.split('; ')
    expect(policy).toContain(
      "img-src 'self' data: blob: https://images.example.com https://*.cdn.example:8443",
    )
    expect(policy).toContain("script-src 'self'")
  } finally {
    await desk.stop()
  }
  for (const wrong of [
    'images.example.com',
    'https://a.example/b',
    'https:',
    '*',
    "https://a.example;script-src'",
  ])
    expect(() => readConfig({ DEMO: '1', IMAGE_HOSTS: wrong })).toThrow('IMAGE_HOSTS')
})

test('GAP-56 the product’s name stands in refusals that name it', async () => {
  const desk = await openDesk({ PRODUCT_NAME: 'Vintner' })
  try {
    const shop = await desk.openShop()
    const { refusal } = await desk.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
      as: shop.manager,
      params: { tmk: shop.key },
      body: {
        carrier: 'UPS',
        account_number: 'ABCD0000',
        account_zip: '10001',
        label_size: '4x6',
        label_format: 'PDF',
      },
    })
    expect(refusal.message).toBe(
      'A carrier account error occurred, please contact your Vintner Sales Associate to resolve the issue.',
    )
  } finally {
    await desk.stop()
  }
})

test('a Stripe dashboard whose accounts cannot be made stops the start', () => {
  const stripe = { DEMO: '1', STRIPE_SECRET_KEY: 'sk_test_x' }
  for (const dashboard of ['express', 'half'])
    expect(() => readSettings({ ...stripe, STRIPE_DASHBOARD: dashboard })).toThrow('STRIPE_DASHBOARD')
})

test('standbys for reads are addresses beside DATABASE_URL, and no sentence about them has a password', () => {
  const url = 'postgres://desk:secret@db1.example/desk'
  const standbys = ['postgres://desk:secret@db2.example/desk', 'postgresql:///desk?host=/var/run/db3']
  const read = (READ_URLS: string, DATABASE_URL = url) =>
    readConfig({ ...liveSettings, DATABASE_URL, READ_URLS }).readUrls
  expect(read('')).toEqual([])
  for (const between of ['\n ', ',', ', ']) expect(read(` ${standbys.join(between)} `)).toEqual(standbys)
  // Hosts of one address.
  expect(read('postgres://db2.example,db3.example/desk')).toEqual(['postgres://db2.example,db3.example/desk'])
  for (const wrong of ['db2.example', `${url} secret@db2.example`, url, `${standbys[0]},${standbys[0]}`]) {
    expect(() => read(wrong)).toThrow(/^READ_URLS must (?!.*secret)/)
  }
  expect(() => readConfig({ DEMO: '1', READ_URLS: url })).toThrow(
    /^READ_URLS needs DATABASE_URL (?!.*secret)/,
  )
})
