import { openDatabase } from '../database.ts'
import { expect, openOrders, test, toast } from '../desk.ts'
import { signIn } from '../people.ts'
import {
  expectAtOrders,
  expectSignInForm,
  hasExpired,
  leadingTo,
  linkFor,
  noSession,
  notValid,
  signedInAs,
  storedSession,
  storedToken,
  tokenOf,
  wasUsed,
  storedMerchant,
} from './sign-in-link.ts'

// A user's newer link ends the earlier one, so other test files use other users.
test.describe('in a browser that is signed out', () => {
  test.use({ person: null })

  test('ROUTE-037 GAP-38 a sign-in link signs its user in on the page that it names, and leaves no trace', async ({
    page,
    outside,
    url,
  }) => {
    const link = await linkFor(outside, 'manager@demo.test')
    const told: string[] = []
    page.on('request', (request) => {
      if (!request.isNavigationRequest()) told.push(`${request.url()} ${request.headers()['referer'] ?? ''}`)
    })
    await page.goto(leadingTo(link, '/orders/on-hold?sort=asc'))
    await expect(toast(page, 'Signed in as Tom Brannigan.')).toBeVisible()
    await expect(page).toHaveURL(`${url}/orders/on-hold?sort=asc`)
    await expect(page.getByRole('banner').getByText('Harbor Wine & Spirits')).toBeVisible()
    expect(await signedInAs(page)).toBe('manager@demo.test')
    const everything = await page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        history.state,
        (globalThis as { dataLayer?: unknown }).dataLayer,
      ]),
    )
    expect(await storedMerchant(page)).toBe('demo')
    expect(everything).not.toContain(tokenOf(link))
    expect(told.filter((each) => each.includes(tokenOf(link)))).toEqual([])
    await page.goto('/orders/active')
    expect(await page.evaluate(() => document.referrer)).not.toContain('jwt')
    await page.goBack()
    await expect(page).toHaveURL(`${url}/orders/on-hold?sort=asc`)
  })

  test('GAP-38 a session’s token in the address signs nobody in', async ({ page, url }) => {
    const { token } = await signIn(url, 'owner@demo.test')
    await page.goto(`/?jwt=${token}&tmk=demo`)
    await expectSignInForm(page, notValid)
    await page.goto(`/terms?jwt=${token}&tmk=demo`)
    await expectSignInForm(page, notValid)
  })

  test('GAP-38 a link opened twice says that it was used, and the form still signs in', async ({
    page,
    outside,
    browser,
    url,
  }) => {
    const link = await linkFor(outside, 'member@demo.test')
    await page.goto(link.href)
    await expectAtOrders(page)
    const context = await browser.newContext({ baseURL: url, storageState: noSession })
    const elsewhere = await context.newPage()
    await elsewhere.goto(link.href)
    await expectSignInForm(elsewhere, wasUsed)
    await elsewhere.getByLabel('Email').fill('member@demo.test')
    await elsewhere.getByLabel('Password', { exact: true }).fill('cellarhand-demo')
    await elsewhere.keyboard.press('Enter')
    await expectAtOrders(elsewhere)
    await context.close()
  })

  test('an expired link says so', async ({ page, outside, dataDir, ownShop }) => {
    const link = await linkFor(outside, ownShop.owner, ownShop.key)
    const database = await openDatabase(dataDir)
    await database.query(
      `update one_time_tokens set expires_at = now() where user_id = (select user_id from users where email = $1)`,
      [ownShop.owner],
    )
    await database.end()
    await page.goto(link.href)
    await expectSignInForm(page, hasExpired)
  })

  test('GAP-38 a link with another merchant’s key signs nobody in, and can still be used', async ({
    page,
    outside,
  }) => {
    const link = await linkFor(outside, 'manager@demo.test')
    await page.goto(`/?jwt=${tokenOf(link)}&tmk=other`)
    await expectSignInForm(page, notValid)
    await page.goto(link.href)
    await expectAtOrders(page)
  })

  test('half a link counts as none: the page removes it from the address and sends no request', async ({
    page,
  }) => {
    let asked = 0
    page.on('request', (request) => (asked += request.url().endsWith('/handover') ? 1 : 0))
    for (const query of ['jwt=a-token', 'tmk=demo', 'jwt=&tmk=demo']) {
      await page.goto(`/login?${query}`)
      await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
      await expect(page).toHaveURL(/\/login$/)
    }
    expect(asked).toBe(0)
  })
})

test.describe('in a browser that is signed in', () => {
  test.use({ person: 'member@demo.test' })
  const stays = (reason: string) => `${reason} You are signed in as Aiko Lindqvist.`

  // The server's own test tries every other text that is no link: `hand-over.test.ts`.
  test('GAP-38 garbage, something endless or the token of a session in the address does not sign the clerk out', async ({
    page,
    url,
  }) => {
    const { token } = await signIn(url, 'owner@other.test')
    for (const query of [
      'jwt=x&tmk=y',
      `jwt=${'x'.repeat(5_000)}&tmk=${'y'.repeat(500)}`,
      `jwt=${token}&tmk=demo`,
    ]) {
      await page.goto(`/orders/completed?${query}`)
      await expect(toast(page, stays(notValid))).toBeVisible()
      await expect(page).toHaveURL(/\/orders\/completed$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Completed' })).toBeVisible()
      expect(await signedInAs(page)).toBe('member@demo.test')
    }
  })

  test('GAP-38 a link opened again leaves the clerk signed in, and says that it was used', async ({
    page,
    outside,
  }) => {
    const link = await linkFor(outside, 'member@demo.test')
    await page.goto(link.href)
    await expect(toast(page, 'Signed in as Aiko Lindqvist.')).toBeVisible()
    await expectAtOrders(page)
    await page.goto(link.href)
    await expect(toast(page, stays(wasUsed))).toBeVisible()
    await expectAtOrders(page)
    expect(await signedInAs(page)).toBe('member@demo.test')
  })

  test('an expired link, or one with another merchant’s key, leaves the clerk signed in', async ({
    page,
    outside,
    dataDir,
    ownShop,
  }) => {
    const link = await linkFor(outside, ownShop.owner, ownShop.key)
    await page.goto(`/?jwt=${tokenOf(link)}&tmk=demo`)
    await expect(toast(page, stays(notValid))).toBeVisible()
    const database = await openDatabase(dataDir)
    await database.query(
      `update one_time_tokens set expires_at = now() where user_id = (select user_id from users where email = $1)`,
      [ownShop.owner],
    )
    await database.end()
    await page.goto(link.href)
    await expect(toast(page, stays(hasExpired))).toBeVisible()
    await expectAtOrders(page)
    expect(await signedInAs(page)).toBe('member@demo.test')
  })

  test('a link of the same user asks nothing, and leads to its page with a new session', async ({
    page,
    outside,
  }) => {
    await openOrders(page)
    const before = await storedSession(page)
    const link = await linkFor(outside, 'member@demo.test')
    await page.goto(leadingTo(link, '/orders/completed'))
    await expect(page.getByRole('heading', { level: 1, name: 'Completed' })).toBeVisible()
    expect(await storedSession(page)).not.toBe(before)
    expect(await signedInAs(page)).toBe('member@demo.test')
  })

  test('a session that has ended on the server, or has run out, is replaced without a question', async ({
    page,
    outside,
  }) => {
    await page.goto('/terms')
    for (const end of ['server', 'clock']) {
      if (end === 'server') {
        const token = await storedToken(page)
        await outside.call('POST /a/v2/logout', { as: `Bearer ${token}`, body: {} })
      } else {
        await page.evaluate(() => {
          const claims = btoa(JSON.stringify({ sub: 'somebody', exp: 1_600_000_000 }))
          localStorage.setItem('jwt', `${btoa('{"alg":"HS256"}')}.${claims}.x`)
        })
      }
      await page.goto((await linkFor(outside, 'manager@demo.test')).href)
      await expect(toast(page, 'Signed in as Tom Brannigan.')).toBeVisible()
      await expectAtOrders(page)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect(await signedInAs(page)).toBe('manager@demo.test')
    }
  })
})
