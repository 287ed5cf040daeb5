import type { Page } from '@playwright/test'
import { overhangOf, violationsOf } from '../screens/axe.ts'
import { openDatabase } from '../database.ts'
import { expect, follow, test } from '../desk.ts'
import { resize } from '../page-time.ts'
import { openShop } from '../shop.ts'

const panel = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'Outside services' }) })

/** The mail server returns every mail to this person for that reason. */
async function bounce(dataDir: string, email: string, reason: string): Promise<void> {
  const database = await openDatabase(dataDir)
  await database.query(
    'update outgoing_mails set given_up_at = now(), bounced_at = now(), bounce_reason = $2 where recipient = $1',
    [email, reason],
  )
  await database.end()
}

test('owners see each outside service’s provider, and the returned mails, on any screen', async ({
  openDesk,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const page = await openDesk(shop.owner)
  await page.goto('/settings/carrier')
  await expect(panel(page).getByRole('listitem')).toHaveText([
    /Shipping labels.*Sandbox/,
    /Couriers.*Sandbox/,
    /Text messages.*Sandbox/,
    /Maps.*Not set up.*A drawn card/,
  ])
  const email = `zoe-${shop.key}-of-a-rather-long-address@example.com`
  await page.goto('/settings/users')
  await page.getByRole('button', { name: 'INVITE' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Zoë')
  await dialog.getByLabel('Last name').fill('Bell')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').selectOption({ value: 'merch.user' })
  await dialog.getByRole('button', { name: 'INVITE' }).click()
  await expect(page.getByText('Invited')).toBeVisible()
  await bounce(dataDir, email, '550 5.1.1 User unknown')
  const problem = `The invitation could not be delivered to ${email}: 550 5.1.1 User unknown`
  await page.reload()
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await resize(page, { width, height: 900 })
    await follow(page, '/settings/users')
    await expect(page.getByText(problem)).toBeVisible()
    expect([await overhangOf(page), await violationsOf(page)]).toEqual([0, []])
    await follow(page, '/settings/billing')
    await expect(panel(page)).toContainText(email)
    await expect(panel(page)).toContainText('550 5.1.1 User unknown')
    expect([await overhangOf(page), await violationsOf(page)]).toEqual([0, []])
  }
})
