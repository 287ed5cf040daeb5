import { openBadGateway } from '../servers/bad-gateway.ts'
import { expect, openOrders, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { expectAtOrders, noSession, signedInAs, storedMerchant, storedToken } from './sign-in-link.ts'

test.use({ person: 'member@demo.test' })

const menuItem = 'Sign Out'

for (const status of [502, 400])
  test(`AUTH-023 a sign-out whose call fails with ${status} still clears the storage`, async ({
    openDesk,
    url,
  }) => {
    const gateway = await openBadGateway(url, status)
    try {
      const page = await openDesk('member@demo.test', { baseURL: gateway.url })
      await openOrders(page)
      gateway.fail('POST /a/v2/logout')
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('menuitem', { name: menuItem }).click()
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
      expect(await storedToken(page)).toBeNull()
      expect(await page.evaluate(() => document.cookie)).toBe('')
      await page.close()
    } finally {
      await gateway.remove()
    }
  })

test('a token login that something other than the server refused ends no session', async ({
  openDesk,
  url,
}) => {
  const gateway = await openBadGateway(url, 400)
  try {
    const page = await openDesk('member@demo.test', { baseURL: gateway.url })
    gateway.fail('GET /a/v2/sessions')
    await page.goto('/orders/active')
    await expect(page.getByRole('heading', { name: 'Error Occurred, please try again later' })).toBeVisible()
    expect(await storedToken(page)).not.toBeNull()
    gateway.mend()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expectAtOrders(page)
    await page.close()
  } finally {
    await gateway.remove()
  }
})

test('a merchant key that is not the session’s is corrected, and ends no session', async ({ page }) => {
  await page.goto('/terms')
  await page.evaluate(() => (document.cookie = 'tmk=other; path=/'))
  await page.goto('/orders/active')
  await expectAtOrders(page)
  expect(await storedMerchant(page)).toBe('demo')
})

test('GAP-43 an open page renews its token long before the twelve hours are over', async ({ page }) => {
  await page.clock.install()
  await openOrders(page)
  const before = await storedToken(page)
  // Two tokens of the same second would be the same text.
  const { iat } = JSON.parse(atob(before?.split('.')[1] ?? '')) as { iat: number }
  await expect.poll(() => Date.now()).toBeGreaterThan((iat + 1) * 1000)
  const renewed = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().endsWith('/a/v2/sessions'),
  )
  await page.clock.fastForward('06:00:00')
  const { token } = (await (await renewed).json()) as { token: string }
  expect(token).not.toBe(before)
  await expect.poll(() => storedToken(page)).toBe(token)
})

test('a late answer to a renewal does not bring a former session back', async ({ openDesk, cable, url }) => {
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await page.clock.install()
  await openOrders(page)
  cable.holdAnswers('GET /a/v2/sessions')
  const asked = page.waitForRequest(
    (request) => request.method() === 'GET' && request.url().endsWith('/a/v2/sessions'),
  )
  await page.clock.fastForward('06:00:00')
  const answered = (await asked).response()
  // Another tab leaves this behind when the same person signs in again there.
  const { token } = await signIn(url, 'member@demo.test')
  await page.evaluate((next) => localStorage.setItem('jwt', next), token)
  cable.mend()
  await (await answered)?.finished()
  // The page reads that answer before a later one.
  await page.evaluate(async () => (await fetch('/readyz')).text())
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  expect(await storedToken(page)).toBe(token)
})

test('a late answer to a token login does not bring a former session back', async ({
  openDesk,
  cable,
  url,
}) => {
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  cable.holdAnswers('GET /a/v2/sessions')
  const asked = page.waitForRequest((request) => request.url().endsWith('/a/v2/sessions'))
  await page.goto('/orders/active', { waitUntil: 'commit' })
  await asked
  const { token } = await signIn(url, 'owner@other.test')
  await page.evaluate((next) => localStorage.setItem('jwt', next), token)
  cable.mend()
  await expectAtOrders(page, 'Mission Bottle Shop')
  expect(await signedInAs(page)).toBe('owner@other.test')
})

test('a sign-out in one tab signs the others out', async ({ page, context }) => {
  await openOrders(page)
  const second = await context.newPage()
  await openOrders(second)
  await second.getByRole('button', { name: 'Settings' }).click()
  await second.getByRole('menuitem', { name: menuItem }).click()
  for (const tab of [second, page]) {
    await expect(tab).toHaveURL(/\/login$/)
    await expect(tab.getByRole('button', { name: 'Sign In' })).toBeVisible()
  }
})

test('a sign-in form waiting in a tab cannot put its page between two sessions', async ({ browser, url }) => {
  const context = await browser.newContext({ baseURL: url, storageState: noSession })
  const page = await context.newPage()
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeFocused()
  const { token } = await signIn(url, 'member@demo.test')
  // In the same tab, so that the page receives no storage event.
  await page.evaluate((next) => localStorage.setItem('jwt', next), token)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expectAtOrders(page)
  await context.close()
})
