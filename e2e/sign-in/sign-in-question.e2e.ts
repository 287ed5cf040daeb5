import { overhangOf } from '../screens/axe.ts'
import { dialog, expect, openNewest, openOrders, rowOf, test, toast } from '../desk.ts'
import type { Page } from '@playwright/test'
import { resize, runUntil } from '../page-time.ts'
import { signIn } from '../people.ts'
import {
  expectAtOrders,
  expectSignInForm,
  leadingTo,
  linkFor,
  noSession,
  signedInAs,
  storedMerchant,
  storedSession,
  storedToken,
  userOf,
  wasUsed,
} from './sign-in-link.ts'

test.use({ person: 'member@demo.test' })

const question = (page: Page, name = 'Ada Marsh') => dialog(page, `Sign in as ${name}?`)
const stay = (page: Page) => page.getByRole('button', { name: 'Stay signed in as Aiko Lindqvist' })
const replace = (page: Page) => page.getByRole('button', { name: 'Sign in as Ada Marsh', exact: true })

test('GAP-38 a link of somebody else asks first, with both names, and Enter stays', async ({
  page,
  outside,
  shop,
}) => {
  await page.goto('/terms')
  const before = await storedSession(page)
  const redeemed = page.waitForResponse(/\/a\/v2\/sessions\/handover$/)
  await page.goto(leadingTo(await linkFor(outside, shop.owner, shop.key), '/orders/completed'))
  await expect(question(page)).toContainText('Aiko Lindqvist (member@demo.test) is signed in here')
  await expect(question(page)).toContainText(`signs in Ada Marsh (${shop.owner})`)
  expect(await storedSession(page)).toBe(before)
  await expect(stay(page)).toBeFocused()
  const { token } = (await (await redeemed).json()) as { token: string }
  expect(await userOf(page, token)).toBe(shop.owner)
  const ended = page.waitForResponse(/\/a\/v2\/logout$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Completed' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await signedInAs(page)).toBe('member@demo.test')
  expect((await ended).status()).toBe(200)
  expect(await userOf(page, token), 'the session that nobody wanted').toBeUndefined()
})

test('GAP-38 Escape and the close button stay signed in as well; the question fits a phone, with buttons for a thumb', async ({
  page,
  outside,
  shop,
}) => {
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close dialog' }).click(),
  ]) {
    await page.goto((await linkFor(outside, shop.owner, shop.key)).href)
    await expect(stay(page)).toBeFocused()
    await resize(page, { width: 390, height: 844 })
    expect(await overhangOf(page)).toBe(0)
    for (const button of [stay(page), replace(page)])
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await resize(page, { width: 1440, height: 900 })
    await leave()
    await expectAtOrders(page)
    expect(await signedInAs(page)).toBe('member@demo.test')
  }
})

test('GAP-38 the question that a slow line still brings has its frame, and Escape stays signed in', async ({
  openDesk,
  outside,
  cable,
  shop,
}) => {
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  cable.holdAnswers('GET /assets/hand-over-dialog-')
  await page.goto(leadingTo(await linkFor(outside, shop.owner, shop.key), '/', cable.url))
  const frame = page.getByRole('dialog', { name: 'Sign in as Ada Marsh?' })
  await expect(frame.getByText('Loading', { exact: true })).toBeAttached()
  expect(await frame.evaluate((box) => box.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expectAtOrders(page)
  expect(await signedInAs(page)).toBe('member@demo.test')
  cable.mend()
})

test('GAP-38 the session is replaced when the clerk confirms, by keyboard alone, and the former one ends', async ({
  page,
  outside,
  url,
  shop,
}) => {
  await page.goto('/terms')
  const former = await storedToken(page)
  await page.goto(leadingTo(await linkFor(outside, shop.owner, shop.key), '/orders/on-hold'))
  await expect(question(page)).toBeVisible()
  await expect(stay(page)).toBeFocused()
  const ended = page.waitForResponse(/\/a\/v2\/logout$/)
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Sign in as Ada Marsh' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Signed in as Ada Marsh.')).toBeVisible()
  await expect(page.getByRole('banner').getByText(shop.name)).toBeVisible()
  await expect(page).toHaveURL(`${url}/orders/on-hold`)
  expect(await signedInAs(page)).toBe(shop.owner)
  expect(await storedMerchant(page)).toBe(shop.key)
  expect((await ended).status()).toBe(200)
  expect(await userOf(page, former)).toBeUndefined()
})

test('a link that replaces the session in another tab also changes the first tab', async ({
  openDesk,
  outside,
  ownShop,
  shop,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  await openNewest(page)
  await expect(rowOf(page, order)).toBeVisible()
  const second = await page.context().newPage()
  await second.goto((await linkFor(outside, shop.owner, shop.key)).href)
  await replace(second).click()
  for (const tab of [second, page]) await expectAtOrders(tab, shop.name)
  await expect(page.getByText(order.id)).toHaveCount(0)
})

test('a link of the same user in another tab leaves the first tab alone', async ({
  openDesk,
  outside,
  shop,
}) => {
  const page = await openDesk(shop.owner)
  await page.goto('/settings/profile')
  await page.getByLabel('First name').fill('Ad')
  const second = await page.context().newPage()
  await second.goto((await linkFor(outside, shop.owner, shop.key)).href)
  await expect(toast(second, 'Signed in as Ada Marsh.')).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Ad')
  await page.getByRole('link', { name: 'Company' }).first().click()
  await expect(dialog(page, 'Leave without saving?')).toBeVisible()
})

test.describe('two tabs with one link', () => {
  test.use({ person: null })

  test('GAP-38 opened at once, one tab redeems it, and both are signed in', async ({
    page,
    context,
    outside,
    shop,
  }) => {
    const second = await context.newPage()
    const answers: number[] = []
    context.on('response', (response) => {
      if (response.url().endsWith('/handover')) answers.push(response.status())
    })
    const link = await linkFor(outside, shop.owner, shop.key)
    await Promise.all([page, second].map((tab) => tab.goto(link.href)))
    for (const tab of [page, second]) await expectAtOrders(tab, shop.name)
    // The other tab can be signed in before its own answer arrives.
    await expect.poll(() => answers.toSorted()).toEqual([200, 400])
  })

  test('a sign-in in another tab moves a waiting form on', async ({ page, context, url }) => {
    await page.goto('/login')
    const second = await context.newPage()
    await second.goto('/login')
    await second.getByLabel('Email').fill('owner@demo.test')
    await second.getByLabel('Password', { exact: true }).fill('cellarhand-demo')
    await second.keyboard.press('Enter')
    for (const tab of [second, page]) await expectAtOrders(tab)
    expect(page.url()).toBe(`${url}/orders/active`)
  })
})

test('a sign-out in another tab during the question leaves nobody signed in', async ({
  page,
  context,
  outside,
  shop,
}) => {
  const second = await context.newPage()
  await openOrders(second)
  await page.goto((await linkFor(outside, shop.owner, shop.key)).href)
  await expect(stay(page)).toBeFocused()
  await second.getByRole('button', { name: 'Settings' }).click()
  await second.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(second).toHaveURL(/\/login$/)
  await expect(question(page)).toContainText('The session that was open here has ended in another tab.')
  expect(await storedToken(page)).toBeNull()
  await page.getByRole('button', { name: 'Do not sign in' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  expect(await storedToken(page)).toBeNull()
})

test('when another person signs in in another tab during the question, it is asked again with that name', async ({
  page,
  context,
  outside,
  url,
  shop,
}) => {
  const second = await context.newPage()
  await second.goto('/terms')
  await page.goto((await linkFor(outside, shop.owner, shop.key)).href)
  await expect(stay(page)).toBeFocused()
  const { token } = await signIn(url, 'owner@other.test')
  await second.evaluate((other) => localStorage.setItem('jwt', other), token)
  const other = page.getByRole('button', { name: 'Stay signed in as Rosa Delgado-Quinn' })
  await expect(other).toBeFocused()
  await page.keyboard.press('Enter')
  await expectAtOrders(page, 'Mission Bottle Shop')
})

test('a question whose part never arrives can be left, and the present user stays signed in', async ({
  openDesk,
  outside,
  shop,
  cable,
}) => {
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await page.clock.install()
  cable.holdAnswers('GET /assets/hand-over-dialog-')
  await page.goto(leadingTo(await linkFor(outside, shop.owner, shop.key), '/', cable.url))
  const failed = dialog(page, 'Not loaded')
  await runUntil(page, async () => expect(failed).toBeVisible({ timeout: 200 }))
  await failed.getByRole('button', { name: 'Cancel' }).click()
  await expectAtOrders(page)
  expect(await signedInAs(page)).toBe('member@demo.test')
})

test('a link used in another browser asks nothing', async ({ page, outside, browser, url, shop }) => {
  const link = await linkFor(outside, shop.owner, shop.key)
  const context = await browser.newContext({ baseURL: url, storageState: noSession })
  const elsewhere = await context.newPage()
  await elsewhere.goto(link.href)
  await expectAtOrders(elsewhere, shop.name)
  await page.goto(link.href)
  await expect(toast(page, `${wasUsed} You are signed in as Aiko Lindqvist.`)).toBeVisible()
  await context.clearCookies()
  await elsewhere.evaluate(() => localStorage.clear())
  await elsewhere.goto(link.href)
  await expectSignInForm(elsewhere, wasUsed)
  await context.close()
})
