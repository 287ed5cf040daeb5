import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { dialog, expect, follow, test, toast } from '../desk.ts'
import { resize } from '../page-time.ts'
import { signIn } from '../people.ts'
import { linkMailedTo } from '../sign-in/outbox.ts'

const rowOfUser = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })

async function openUsers(page: Page): Promise<void> {
  await page.goto('/settings/users')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await expect(page.getByText('Invite, Edit or Remove', { exact: true })).toBeVisible()
}

async function invite(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'INVITE' }).click()
  const form = dialog(page, 'Invite a user')
  await form.getByLabel('First name').fill('Rosa')
  await form.getByLabel('Last name').fill('Vine')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Role').selectOption({ value: 'merch.user' })
  await form.getByRole('button', { name: 'INVITE' }).click()
}

test('GEN-025 ROUTE-025 TEAM-001 TEAM-002 TEAM-005 TEAM-006 TEAM-012 AUTH-014 GAP-05 an owner invites a colleague, who sets a password by mail and signs in; then the role changes, and the access ends and returns', async ({
  openDesk,
  browser,
  url,
  shop,
  outside,
}) => {
  const page = await openDesk(shop.owner)
  await openUsers(page)
  const email = `rosa-${randomBytes(4).toString('hex')}@example.test`
  await invite(page, email)
  await expect(toast(page, `An invitation was sent to ${email}.`)).toBeVisible()
  const row = rowOfUser(page, email)
  await expect(row.getByRole('cell', { name: 'Member', exact: true })).toBeVisible()
  await expect(row.getByRole('cell', { name: 'Invited', exact: true })).toBeVisible()

  const context = await browser.newContext({ baseURL: url })
  const theirs = await context.newPage()
  await theirs.goto(await linkMailedTo(outside, email))
  await theirs.getByLabel('New password', { exact: true }).fill('rosas-password')
  await theirs.getByRole('button', { name: 'Update Password' }).click()
  await expect(theirs).toHaveURL(/\/login$/)
  await expect(toast(theirs, 'Password Updated successfully')).toBeVisible()
  await theirs.getByRole('textbox', { name: 'Email' }).fill(email)
  await theirs.getByLabel('Password', { exact: true }).fill('rosas-password')
  await theirs.getByRole('button', { name: 'Sign In' }).click()
  await expect(theirs.getByRole('banner').getByText(shop.name)).toBeVisible()

  await row.getByRole('button', { name: 'Edit Rosa Vine' }).click()
  const edit = dialog(page, 'Edit Rosa Vine')
  await expect(edit.getByRole('button', { name: 'SAVE' })).toBeDisabled()
  await edit.getByLabel('Role').selectOption({ value: 'merch.manager' })
  await edit.getByRole('button', { name: 'SAVE' }).click()
  await expect(toast(page, "Rosa Vine's role was updated successfully!")).toBeVisible()
  await expect(row.getByRole('cell', { name: 'Manager', exact: true })).toBeVisible()

  // Only now, because the list still shows that this person had not signed in yet.
  await openUsers(page)
  await row.getByRole('button', { name: 'Revoke Rosa Vine' }).click()
  const revoke = dialog(page, 'Revoke Rosa Vine’s access?')
  await revoke.getByRole('button', { name: 'REVOKE' }).click()
  await expect(toast(page, "Rosa Vine's access was revoked successfully!")).toBeVisible()
  await expect(row.getByText('Access revoked', { exact: true })).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)
  await theirs.reload()
  await expect(theirs).toHaveURL(/\/login$/)
  await context.close()

  await invite(page, email)
  await expect(row.getByText('Invited', { exact: true })).toBeVisible()
  await expect(row.getByRole('button').first()).toBeVisible()
  await expect(row.getByText('Access revoked', { exact: true })).toHaveCount(0)
})

test('TEAM-003 TEAM-004 an owner has the tag You and no buttons in their own row; the invitation form names missing fields and a taken e-mail; an invitation is mailed again, which ends the earlier link, and is withdrawn', async ({
  openDesk,
  shop,
  outside,
}) => {
  const page = await openDesk(shop.owner)
  await openUsers(page)
  const own = rowOfUser(page, shop.owner)
  await expect(own.getByText('You', { exact: true })).toBeVisible()
  await expect(own.getByRole('button')).toHaveCount(0)

  await page.getByRole('button', { name: 'INVITE' }).click()
  const form = dialog(page, 'Invite a user')
  await form.getByRole('button', { name: 'INVITE' }).click()
  for (const text of [
    'Please enter your first name',
    'Please enter your last name',
    'Please enter your email',
  ])
    await expect(form.getByText(text, { exact: true })).toBeVisible()
  await expect(form.getByLabel('First name')).toBeFocused()
  await page.keyboard.press('Escape')
  await invite(page, 'member@demo.test')
  await expect(form.getByText('The email entered already exists', { exact: true })).toBeVisible()
  await expect(form.getByLabel('Email')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const email = `rosa-${randomBytes(4).toString('hex')}@example.test`
  await invite(page, email)
  const row = rowOfUser(page, email)
  const first = await linkMailedTo(outside, email)
  await row.getByRole('button', { name: 'Resend the invitation of Rosa Vine' }).click()
  await expect(toast(page, `The invitation was sent to ${email} again.`)).toBeVisible()
  await linkMailedTo(outside, email, first)
  await row.getByRole('button', { name: 'Withdraw the invitation of Rosa Vine' }).click()
  await expect(toast(page, 'The invitation of Rosa Vine was taken back.')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test.describe('people without the permission to edit', () => {
  test('TEAM-002 GAP-163 a manager sees the list and the reason why it is read-only, and no link to billing', async ({
    openDesk,
  }) => {
    const page = await openDesk('manager@demo.test')
    await openUsers(page)
    await expect(
      rowOfUser(page, 'owner@demo.test').getByRole('cell', { name: 'Owner', exact: true }),
    ).toBeVisible()
    await expect(rowOfUser(page, 'manager@demo.test').getByText('You', { exact: true })).toBeVisible()
    await expect(page.getByText(/Only an owner can invite, edit or remove users/)).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Edit / Revoke' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'INVITE' })).toHaveCount(0)
    const links = page.getByRole('navigation', { name: 'Settings' })
    await expect(links.getByRole('link', { name: 'Billing' })).toHaveCount(0)
    await follow(page, '/settings/billing')
    await expect(page.getByText('Only an owner can set up payments. Please ask one.')).toBeVisible()
  })

  test('TEAM-009 GAP-163 a member has orders, sees no link to the settings of managers and owners, and reads the reason at their address', async ({
    openDesk,
  }) => {
    const page = await openDesk('member@demo.test')
    await page.goto('/settings/profile')
    const settings = page.getByRole('navigation', { name: 'Settings' })
    await expect(settings.getByRole('link')).toHaveText(['Profile', 'Alarms', 'Developers Information'])
    await page.goto('/settings/carrier')
    await expect(
      page.getByText('Only a manager or an owner can change the carrier account.', { exact: true }),
    ).toBeVisible()
    await expect(page.getByLabel('Account ZIP')).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
    await follow(page, '/settings/company')
    await expect(page.getByText(/Only managers and owners can change/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
    await openUsers(page)
    await expect(page.getByText(/Only managers and owners see who works here/)).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(0)
    await follow(page, '/orders/active')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
  })
})

test('TEAM-008 a list that cannot be loaded says so, and can be tried again', async ({
  openDesk,
  shop,
  cable,
}) => {
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await page.goto('/settings/profile')
  await expect(page.getByRole('heading', { name: 'Basic Information' })).toBeVisible()
  // The screen's parts and its list are fetched as a hand comes near; here only the list may be missing.
  cable.holdAnswers(`GET /c/v2/merchants/${shop.key}/users `)
  const screen = page.waitForResponse(/users-page/)
  await page.getByRole('link', { name: 'Users' }).hover()
  await (await screen).finished()
  await page.waitForFunction(() => {
    const parts = [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')]
    const here = new Set(performance.getEntriesByType('resource').map(({ name }) => name))
    return parts.every(({ href }) => here.has(href))
  })
  cable.cut()
  await page.getByRole('link', { name: 'Users' }).click()
  const note = page
    .locator('[data-failed]')
    .filter({ hasText: 'Whoops, we are sorry but something went wrong...' })
  await expect(note).toBeVisible()
  cable.mend()
  await note.getByRole('button', { name: 'Try Again' }).click()
  await expect(rowOfUser(page, shop.owner)).toBeVisible()
})

test('TEAM-006 TEAM-007 a failed change of role or revoke says so with the name, and can be tried again', async ({
  openDesk,
  cable,
}) => {
  const page = await openDesk('owner@demo.test', { baseURL: cable.url })
  await openUsers(page)
  const row = rowOfUser(page, 'manager@demo.test')
  const revoke = dialog(page, 'Revoke Tom Brannigan’s access?')
  await row.getByRole('button', { name: 'Revoke Tom Brannigan' }).click()
  await revoke.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await row.getByRole('button', { name: 'Edit Tom Brannigan' }).click()
  const edit = dialog(page, 'Edit Tom Brannigan')
  await edit.getByLabel('Role').selectOption({ value: 'merch.owner' })
  cable.cut()
  await edit.getByRole('button', { name: 'SAVE' }).click()
  await expect(edit.getByRole('alert')).toContainText(
    "Something went wrong, Tom Brannigan's role wasn't updated.",
  )
  await edit.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await row.getByRole('button', { name: 'Revoke Tom Brannigan' }).click()
  await revoke.getByRole('button', { name: 'REVOKE' }).click()
  await expect(revoke.getByRole('alert')).toContainText(
    "Something went wrong, Tom Brannigan's access wasn't revoked. Please try again.",
  )
  await expect(revoke.getByRole('button', { name: 'TRY AGAIN' })).toBeVisible()
})

test('roles are whole words beside the longest names and addresses, in the table and on a phone', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const email = `maximiliana.featherstonehaugh-${randomBytes(4).toString('hex')}@subdomain.of.a-rather-long-company.test`
  await outside.call('POST /c/v2/merchants/{tmk}/users', {
    as: bearer,
    params: { tmk: ownShop.key },
    body: {
      email,
      first_name: 'Maximiliana-Alexandrina',
      last_name: 'Featherstonehaugh-Cholmondeley de la Vega',
      roles: ['merch.manager'],
    },
  })
  const page = await openDesk(ownShop.owner)
  await openUsers(page)
  for (const width of [1440, 1024, 834, 390, 320]) {
    await resize(page, { width, height: 900 })
    const role = page.getByText('Manager', { exact: true })
    const lines = await role.evaluate((element) => {
      const words = document.createRange()
      words.selectNodeContents(element)
      return words.getClientRects().length
    })
    expect([width, lines]).toEqual([width, 1])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  }
})
