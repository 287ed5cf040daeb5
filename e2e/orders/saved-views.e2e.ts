import type { Page } from '@playwright/test'
import { createUser } from '../../server/src/sign-in/public.ts'
import { asAdmin } from '../database.ts'
import { expect, openOrders, test } from '../desk.ts'
import { stopTime } from '../page-time.ts'
import { password } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'

test('a view is saved, asked about when its name is there, shared, opened by its address, renamed and removed', async ({
  openDesk,
  ownShop,
  outside,
}) => {
  await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await page.goto('/orders/active?status=new&sort=desc')
  const name = '<i>Fri</i> & "late"'
  const open = page.getByRole('button', { name: /^View/ })
  await open.click()
  const panel = page.getByRole('group', { name: /^View/ })
  await expect(panel).toContainText('No view is saved yet.')
  await panel.getByRole('button', { name: 'Save this view' }).click()
  await panel.getByLabel('Name', { exact: true }).fill(name)
  await panel.getByLabel('Share it with the team').check()
  expect(await violationsOf(page)).toEqual([])
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(panel.getByRole('link')).toContainText(`${name}Active, shared by Ada Marsh`)

  await panel.getByRole('button', { name: 'Save this view' }).click()
  await panel.getByLabel('Name', { exact: true }).fill(name.toUpperCase())
  await panel.getByLabel('Share it with the team').check()
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(panel).toContainText(
    `The team has a view “${name}” already, shared by you. Replace it for everybody?`,
  )
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Escape')

  await page.goto('/orders/completed')
  await open.click()
  await panel.getByRole('link').click()
  await expect(page).toHaveURL(/\/orders\/active\?(?=.*status=new)(?=.*sort=desc)/)
  await open.click()
  await expect(panel.locator('[aria-current=page]')).toContainText(name)
  await panel.getByRole('button', { name: /^Rename/ }).click()
  await panel.getByLabel('Name', { exact: true }).fill('Friday')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('link')).toContainText('Friday')
  await expect(panel.getByRole('button', { name: 'Rename Friday' })).toBeFocused()
  await panel.getByRole('button', { name: 'Remove Friday' }).click()
  await panel.getByRole('button', { name: 'Keep' }).click()
  await expect(panel.getByRole('button', { name: 'Rename Friday' })).toBeFocused()
  await panel.getByRole('button', { name: 'Remove Friday' }).click()
  await panel.getByRole('button', { name: 'Remove for good' }).click()
  await expect(panel).toContainText('No view is saved yet.')
  await expect(panel.getByRole('button', { name: 'Save this view' })).toBeFocused()
})

test('a double press asks whether a view goes, and never answers', async ({ openDesk, ownShop }) => {
  const page = await openDesk(ownShop.owner)
  await page.clock.install()
  await page.goto('/orders/active')
  await page.getByRole('button', { name: /^View/ }).click()
  const panel = page.getByRole('group', { name: /^View/ })
  await panel.getByRole('button', { name: 'Save this view' }).click()
  await panel.getByLabel('Name', { exact: true }).fill('Friday')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('link')).toContainText('Friday')
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && calls.push(request.url()))
  const confirm = panel.getByRole('button', { name: 'Remove for good' })
  await stopTime(page)
  await panel.getByRole('button', { name: 'Remove Friday' }).dblclick()
  await expect(confirm).toBeFocused()
  await page.keyboard.press('Enter')
  await page.clock.runFor(800)
  await expect(confirm).toBeEnabled()
  expect(calls).toEqual([])
  await page.clock.resume()
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('No view is saved yet.')
})

test('a view of the team goes only after a question that names its maker, and a private one leaves it alone', async ({
  openDesk,
  ownShop,
  dataDir,
}) => {
  const email = `member@${ownShop.key}.test`
  await asAdmin(dataDir, (db) =>
    createUser(db, {
      email,
      firstName: 'Mona',
      lastName: 'Reyes',
      password,
      merchantKey: ownShop.key,
      role: 'merch.user',
    }),
  )
  const panelOf = (page: Page) => page.getByRole('group', { name: /^View/ })
  const openViews = async (person: string): Promise<Page> => {
    const page = await openDesk(person)
    await page.goto('/orders/active')
    await page.getByRole('button', { name: /^View/ }).click()
    return page
  }
  const save = async (page: Page, isShared: boolean): Promise<void> => {
    await panelOf(page).getByRole('button', { name: 'Save this view' }).click()
    await panelOf(page).getByLabel('Name', { exact: true }).fill('Friday')
    if (isShared) await panelOf(page).getByLabel('Share it with the team').check()
    await panelOf(page).getByRole('button', { name: 'Save', exact: true }).click()
  }
  const member = await openViews(email)
  await save(member, true)
  await expect(panelOf(member).getByRole('link')).toContainText('Friday')

  const page = await openViews(ownShop.owner)
  const panel = panelOf(page)
  await save(page, false)
  await expect(panel.getByRole('link')).toHaveCount(2)
  await expect(panel.getByRole('link', { name: /shared by Mona Reyes/ })).toHaveCount(1)
  await save(page, false)
  await expect(panel).toContainText('You have a private view “Friday” already. Replace it?')
  await panel.getByLabel('Share it with the team').check()
  await expect(panel).not.toContainText('Replace it')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(panel).toContainText(
    'The team has a view “Friday” already, shared by Mona Reyes. Replace it for everybody?',
  )
  await panel.getByRole('button', { name: 'Replace' }).click()
  await expect(panel.getByRole('button', { name: 'Save this view' })).toBeFocused()
  await expect(panel.getByRole('link', { name: /shared by Ada Marsh/ })).toHaveCount(1)
  await expect(panel.getByRole('link')).toHaveCount(2)
})
