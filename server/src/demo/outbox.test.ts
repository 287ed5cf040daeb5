import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationCredential, liveSettings, openDesk, type Desk, type Shop } from '../../test/desk.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const ask = async (email: string) =>
  desk.call('POST /a/v2/accounts/password_token', { as: applicationCredential, body: { email } })

test('the outbox is empty at first, and says how to fill it', async () => {
  expect((await desk.call('GET /demo/outbox.json')).body).toEqual({ items: [] })
  expect((await desk.call('GET /demo/outbox')).text).toContain('Nothing was sent yet.')
})

test('anybody sees the sent messages, newest first, with their links', async () => {
  await ask(shop.member.email)
  await ask(shop.owner.email)
  const { body } = await desk.call('GET /demo/outbox.json')
  expect(body.items.map(({ to }) => to)).toEqual([shop.owner.email, shop.member.email])
  const [newest] = body.items
  expect(newest).toMatchObject({ kind: 'mail', subject: 'Set a new password' })
  expect(newest?.text).toContain(newest?.links[0])
  expect(newest?.html).toContain(`href="${newest?.links[0]}"`)
  expect(Date.now() - Date.parse(newest?.created_at ?? '')).toBeLessThan(60_000)

  const page = await desk.call('GET /demo/outbox')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const { links } of body.items) expect(page.text).toContain(`<a href="${links[0]}">${links[0]}</a>`)
  expect(page.text.indexOf(shop.owner.email)).toBeLessThan(page.text.indexOf(shop.member.email))
})

test('G25 names in a mail are text on the page, and the page obeys the content security policy', async () => {
  const name = `<img src=x onerror=alert(1)>"'</pre><script>1</script>`
  await desk.owner.query('update users set first_name = $2 where user_id = $1', [shop.manager.id, name])
  await ask(shop.manager.email)
  const { text, headers } = await desk.call('GET /demo/outbox')
  expect(text).toContain('Hello &lt;img src=x onerror=alert(1)&gt;')
  expect(text).not.toMatch(/<script|<img|<style| style=| on\w+=["']/)
  expect(headers.get('content-security-policy')).toContain("style-src 'self'")
  const style = await desk.call('GET /demo/outbox.css')
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  expect(text).toContain('<link rel="stylesheet" href="/demo/outbox.css">')
})

test('outside the demo there is nothing at these addresses', async () => {
  const live = await openDesk(liveSettings)
  for (const path of ['/demo/outbox', '/demo/outbox.json', '/demo/outbox.css', '/demo/nothing']) {
    const answer = await live.send('GET', path)
    expect([path, answer.status, answer.refusal.code]).toEqual([path, 404, 'not_found'])
  }
  expect(live.app.unserved.filter((call) => call.includes('/demo/'))).toEqual([])
  await live.stop()
})
