import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createUser } from '../../server/src/sign-in/public.ts'
import { asAdmin } from '../database.ts'
import { expect, test, toast } from '../desk.ts'
import { password, signIn } from '../people.ts'
import { linkMailedTo } from './outbox.ts'

test.use({ person: null })

const rowOfUser = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })

async function addPerson(dataDir: string): Promise<string> {
  const email = `mona-${randomBytes(5).toString('hex')}@example.test`
  await asAdmin(dataDir, async (db) =>
    createUser(db, { email, firstName: 'Mona', lastName: 'Reyes', password }),
  )
  return email
}

test('SEC-17 GAP-05 GAP-41 a person with an account reads by a mailed link which shop asks, and joins it, or not now', async ({
  page,
  openDesk,
  outside,
  ownShop,
  dataDir,
  url,
}) => {
  const email = await addPerson(dataDir)
  const desk = await openDesk(ownShop.owner)
  await desk.goto('/settings/users')
  await desk.getByRole('button', { name: 'INVITE' }).click()
  const form = desk.getByRole('dialog', { name: 'Invite a user' })
  await form.getByLabel('First name').fill('Rosa')
  await form.getByLabel('Last name').fill('Vine')
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Role').selectOption({ value: 'merch.user' })
  await form.getByRole('button', { name: 'INVITE' }).click()
  const row = rowOfUser(desk, email)
  await expect(row.getByRole('rowheader', { name: 'Rosa Vine', exact: true })).toBeVisible()
  await expect(row.getByRole('cell', { name: 'Invited', exact: true })).toBeVisible()

  const link = await linkMailedTo(outside, email)
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: `Join ${ownShop.name}?` })).toBeVisible()
  await expect(page.getByText(`${ownShop.name} asks you to work on its orders, as Member.`)).toBeVisible()
  await page.getByRole('link', { name: 'Not now' }).click()
  await expect(page).toHaveURL(/\/login$/)
  const { bearer } = await signIn(url, email)
  const { user } = await outside.call('GET /a/v2/sessions', { as: bearer })
  expect(user.aux_data.authorized_merchant).toBeNull()

  await page.goto(link)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `You have joined ${ownShop.name}` })).toBeVisible()
  await page.getByRole('button', { name: 'Go to the order desk' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('banner').getByText(ownShop.name)).toBeVisible()
  await desk.reload()
  await expect(row.getByRole('rowheader', { name: 'Mona Reyes', exact: true })).toBeVisible()
})

test('SEC-17 a person who is signed in works for the shop at once; a link that is taken back or followed says so', async ({
  openDesk,
  outside,
  ownShop,
  dataDir,
}) => {
  const email = await addPerson(dataDir)
  const desk = await openDesk(ownShop.owner)
  await desk.goto('/settings/users')
  const token = await desk.evaluate(() => localStorage.getItem('jwt'))
  const invite = async () =>
    outside.call('POST /c/v2/merchants/{tmk}/users', {
      as: `Bearer ${token}`,
      params: { tmk: ownShop.key },
      body: { email, first_name: 'Rosa', last_name: 'Vine', roles: ['merch.user'] },
    })
  await invite()
  await desk.reload()
  const first = await linkMailedTo(outside, email)
  await desk.getByRole('button', { name: 'Withdraw the invitation of Rosa Vine' }).click()
  await expect(toast(desk, 'The invitation of Rosa Vine was taken back.')).toBeVisible()

  const theirs = await openDesk(email)
  await theirs.goto(first)
  await expect(theirs.getByRole('heading', { level: 1, name: 'Invitation' })).toBeVisible()
  await expect(theirs.getByRole('alert')).toHaveText(/it was used, taken back, or replaced by a newer mail/)
  await invite()
  await theirs.goto(await linkMailedTo(outside, email, first))
  await theirs.getByRole('button', { name: 'Join', exact: true }).click()
  await theirs.getByRole('button', { name: 'Go to the order desk' }).click()
  await expect(theirs.getByRole('banner').getByText(ownShop.name)).toBeVisible()
})

test('SEC-17 at a till where somebody else is signed in, the page says so after the answer', async ({
  openDesk,
  outside,
  ownShop,
  shop,
  dataDir,
  url,
}) => {
  const email = await addPerson(dataDir)
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.call('POST /c/v2/merchants/{tmk}/users', {
    as: bearer,
    params: { tmk: ownShop.key },
    body: { email, first_name: 'Rosa', last_name: 'Vine', roles: ['merch.user'] },
  })
  const till = await openDesk(shop.owner)
  await till.goto(await linkMailedTo(outside, email))
  await till.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(
    till.getByText(`${shop.owner} is signed in here. Sign out there first, then sign in as ${email}.`),
  ).toBeVisible()
})
