import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { dialog, expect, openOrder, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { anOrder } from '../../server/test/orders.ts'

type Layer = { dataLayer?: Record<string, unknown>[] }

const layerOf = (page: Page) => page.evaluate(() => (globalThis as Layer).dataLayer ?? [])
const namesOf = async (page: Page) => (await layerOf(page)).map(({ event }) => event)

test('TELE-001 TELE-002 TELE-003 TELE-006 TELE-007 GAP-182 GAP-183 the data layer has the page’s load and views, the inventory’s with the hashed user; the server receives uncaught errors, once each and without personal data', async ({
  page,
}) => {
  await page.goto('/orders/active')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect.poll(() => namesOf(page)).toEqual(['Page Load', 'Page View'])
  expect((await layerOf(page))[1]).toEqual({ event: 'Page View', path: '/orders/$tab' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inventory' }).click()
  await expect(page.getByText(/^Last Update: /)).toBeVisible()
  await expect
    .poll(() => namesOf(page))
    .toEqual(['Page Load', 'Page View', 'Page View', 'Inventory Page View'])
  const token = (await page.evaluate(() => localStorage.getItem('jwt'))) ?? ''
  const user = await page.evaluate(async (jwt) => {
    const reply = await fetch('/a/v2/sessions', { headers: { authorization: `Bearer ${jwt}` } })
    return ((await reply.json()) as { user: { id: string } }).user.id
  }, token)
  expect((await layerOf(page)).at(-1)).toEqual({
    event: 'Inventory Page View',
    user_id: createHash('sha256').update(user).digest('hex'),
  })
  expect(JSON.stringify(await layerOf(page))).not.toMatch(/owner@demo|Harbor|demo/)

  const told: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/insights/v1/errors')) told.push(request.postData() ?? '')
  })
  const answered = page.waitForResponse(/\/insights\/v1\/errors$/)
  // The browser announces an error like this; a real error would fail the test.
  await page.evaluate(() => {
    for (let times = 0; times < 3; times++) {
      const error = new Error('a made-up failure of dee@example.com, +1 (212) 555-0123')
      dispatchEvent(new ErrorEvent('error', { error, message: error.message }))
    }
  })
  const answer = await answered
  expect(answer.status()).toBe(202)
  expect(answer.request().headers()).not.toHaveProperty('authorization')
  expect(JSON.parse(told[0] ?? '{}')).toMatchObject({
    message: 'Error: a made-up failure of <email> <number>',
    path: '/inventory',
    user: createHash('sha256').update(user).digest('hex'),
  })
  expect(told).toHaveLength(1)
  // The hash of the person may hold any three digits.
  expect(told.join()).not.toMatch(/dee@|555.?0123/)
})

test('TELE-004 TELE-005 the data layer has each action on an order by its name, without the order', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  // A headless browser has no print dialog, and has crashed without one.
  await page.addInitScript(() => {
    window.print = () => undefined
  })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Accept' }).first().click()
  await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT' }).click()
  await expect.poll(() => namesOf(page)).toContain('Accept Order')
  await page.getByRole('button', { name: 'Print Receipt' }).first().click()
  await expect.poll(() => namesOf(page)).toContain('Print Receipt')
  await page.getByRole('button', { name: 'Deliver' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'OUT FOR DELIVERY' }).click()
  await expect.poll(() => namesOf(page)).toContain('On Demand - Out for Delivery')
  const text = JSON.stringify(await layerOf(page))
  for (const secret of [
    order.id,
    order.thirstie_logistic_order_ref,
    order.recipient.last_name,
    order.recipient.street_1,
  ])
    expect(text).not.toContain(secret)
})

test('TELE-007 an outside service that does not take what it is asked for is told to the server, without persons', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'member@demo.test')
  const order = await outside.order('demo', {
    delivery: { method: 'on_demand' },
    courier_estimate_id: 'est-1',
    recipient: { ...anOrder('demo').recipient, street_1: '900 Too Far Road' },
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await openOrder(page, order)
  const told = page.waitForRequest(/\/insights\/v1\/errors$/)
  await page.getByRole('button', { name: 'REQUEST PICKUP' }).first().click()
  const courier = dialog(page, 'Request Courier Pickup')
  await courier.getByRole('button', { name: 'REQUEST PICKUP' }).click()
  await expect(courier.getByText('This address is too far away for a courier.')).toBeVisible()
  expect((await told).postDataJSON()).toMatchObject({
    message: 'Error: POST /m/v2/merchant/{tmk}/orders/{id}/courier answered 422 courier_refused',
  })
})

test('TELE-006 with a DSN the failure also goes to Sentry, through our own server, with no other data', async ({
  page,
}) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const meta = document.querySelector<HTMLMetaElement>('meta[name="cellarhand-config"]')
      if (meta && !meta.content.includes('sentry_dsn":"http'))
        meta.content = JSON.stringify({
          ...(JSON.parse(meta.content) as object),
          sentry_dsn: 'http://key@127.0.0.1:9/7',
        })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/orders/active')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const sent = page.waitForRequest(/\/insights\/v1\/envelopes$/)
  await page.evaluate(() => {
    const error = new Error('a made-up failure of dee@example.com at /sign-in?jwt=eyJh')
    dispatchEvent(new ErrorEvent('error', { error, message: error.message }))
  })
  const { envelope } = (await sent).postDataJSON() as { envelope: string }
  const event = JSON.parse(envelope.split('\n')[2] ?? '{}') as Record<string, never>
  expect(event).toMatchObject({
    exception: { values: [{ value: 'a made-up failure of <email> at /sign-in?…' }] },
  })
  for (const field of ['request', 'breadcrumbs']) expect([field, event[field]]).toEqual([field, undefined])
  expect(event['user']).toEqual({ id: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(envelope).not.toMatch(/dee@|eyJ/)
})
