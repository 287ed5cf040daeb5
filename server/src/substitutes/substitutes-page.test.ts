import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { askingOf, holdGin, stockGin } from '../../test/substitutes.ts'

let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
  shop = await desk.openShop()
  await stockGin(desk, shop)
})
afterAll(async () => desk.stop())

const hostile = `<script>alert(1)</script>"'&`

async function mailedGin() {
  const held = await holdGin(desk, shop)
  const asking = askingOf(desk, shop, held)
  const email = held.order.customer.email ?? ''
  expect((await asking.offer({ by: 'mail' })).status).toBe(200)
  return { ...held, ...asking, email, path: await asking.path(email) }
}

test('the page names bottles and prices and no person, has no script, and obeys the policy of every page', async () => {
  const { path, open } = await mailedGin()
  const { status, text, headers } = await open(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  // Three letters in a row may be in the signed address that the form answers to.
  const shown = text.replaceAll(path, '')
  for (const name of ['Dee', 'Nakamura', 'Pearl', '@example.com', '+1212']) expect(shown).not.toContain(name)
  expect(text).not.toMatch(/<script|<style| style=| on\w+=["']/)
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store'])
  const style = await desk.call('GET /substitutes/page.css')
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
})

test('names of bottles and shops are text on the page', async () => {
  await desk.owner.query('update merchants set name = $2 where merchant_id = $1', [shop.key, hostile])
  await desk.owner.query(
    "update offerings set product_name = $2 where merchant_id = $1 and offering_id = 'same'",
    [shop.key, hostile],
  )
  const { path, open } = await mailedGin()
  const { text } = await open(path)
  expect(text).not.toContain('<script>')
  expect(text.split('&lt;script&gt;alert(1)&lt;/script&gt;&quot;').length).toBeGreaterThan(2)
  await desk.owner.query('update merchants set name = $2 where merchant_id = $1', [shop.key, 'Shop'])
})

test('looking at the page answers nothing, and a form without a choice asks again', async () => {
  const { path, open, answer, read } = await mailedGin()
  for (let visit = 0; visit < 3; visit++) await open(path)
  expect((await desk.send('HEAD', path)).status).toBe(200)
  const empty = await answer(path)
  expect([empty.status, empty.headers.get('location')]).toEqual([303, `${path}?choose=1`])
  expect((await answer(path, 'o-of-another-offer')).headers.get('location')).toBe(`${path}?choose=1`)
  expect((await open(`${path}?choose=1`)).text).toContain('role="alert"')
  expect((await read()).substitutes?.offers[0]?.state).toBe('offered')
})

test('a link works for its own offer alone: any other signature, of another offer too, opens nothing', async () => {
  const [one, other] = [await mailedGin(), await mailedGin()]
  const [id, signature = ''] = one.path.split('.')
  const [, signatureOfOther] = other.path.split('.')
  const forged = [
    `${id}.${signatureOfOther}`,
    `${id}.${signature.slice(0, -1)}`,
    `${id}.`,
    `${id}`,
    `${id}.${signature.toLowerCase()}`,
    '/substitutes/x.y',
    `${id}%00.${signature}`,
    '/substitutes/x.%00',
  ]
  for (const path of forged) {
    const page = await one.open(path)
    expect([path, page.status]).toEqual([path, 404])
    expect(page.text).toContain('This link does not work')
    expect((await one.answer(path, 'same')).status).toBe(404)
  }
  expect((await one.read()).substitutes?.offers[0]?.state).toBe('offered')
})

test('a customer’s open link works under another SESSION_SECRET, and a forged one does not', async () => {
  const { path, read } = await mailedGin()
  const renewed = await desk.another({ SESSION_SECRET: 'another-session-secret-for-the-same-database' })
  const answer = (to: string) =>
    fetch(`${renewed.url}${to}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ choice: 'same' }),
    })
  expect((await answer(`${path.slice(0, -1)}-`)).status).toBe(404)
  expect((await answer(path)).status).toBe(303)
  expect((await read()).substitutes?.offers[0]?.state).toBe('chosen')
})

test('after the time the link takes no answer, also before anybody has counted the silence', async () => {
  const { path, answer, open, read, order } = await mailedGin()
  // No worker sees it: for the page alone the time is over.
  await desk.owner.query(
    "update substitute_offers set until_at = until_at + interval '1 day' where order_id = $1",
    [order.id],
  )
  await desk.turn(30 * 60_000)
  expect((await open(path)).text).toContain('The time to answer is over')
  await answer(path, 'same')
  expect((await read()).substitutes?.offers[0]?.state).toBe('offered')
})

test('visits are counted: bad links by network, and they keep no customer out; good ones by offer', async () => {
  const { path, open, answer } = await mailedGin()
  let last = 0
  for (let visit = 0; visit < 40 && last !== 429; visit++) last = (await open('/substitutes/x.y')).status
  expect(last).toBe(429)
  expect((await open(path)).status).toBe(200)
  const visits = await Promise.all(Array.from({ length: 100 }, () => open(path)))
  expect(visits.some(({ status }) => status === 429)).toBe(true)
  expect((await answer(path, 'same')).status).toBe(429)
  await desk.turn(16 * 60_000)
  expect((await open(path)).status).toBe(200)
})
