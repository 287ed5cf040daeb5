import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { basic } from '../../server/seed/calls.ts'
import { codeOf } from '../../server/test/one-time-code.ts'
import { dialog, expect, openOrders, test, toast } from '../desk.ts'
import { linkMailedTo } from './outbox.ts'
import type { Outside } from '../outside.ts'
import { password } from '../people.ts'
import { openShop } from '../shop.ts'

test.use({ person: null })

test('a person with two steps is asked for the code, and a recovery code signs in', async ({
  page,
  outside,
}) => {
  const account = { email: `two-${randomBytes(5).toString('hex')}@example.test`, password: 'a-long-password' }
  const application = basic('dashboard:dashboard')
  await outside.call('POST /a/v2/users', {
    as: application,
    body: { ...account, first_name: 'Tess', last_name: 'Step', birthday: '1990-05-06' },
  })
  const { token, user } = await outside.call('POST /a/v2/sessions', { as: application, body: account })
  const own = { as: `Bearer ${token}`, params: { id: user.id } }
  const { secret } = await outside.call('POST /a/v2/users/{id}/two_step', {
    ...own,
    body: { password: account.password },
  })
  const code = codeOf(secret)
  const { recovery_codes } = await outside.call('POST /a/v2/users/{id}/two_step/confirmation', {
    ...own,
    body: { code },
  })

  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please enter the code of your authenticator app.')
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.getByLabel('Code').fill('not-a-code')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert')).toHaveText('That code is not right, or was used already.')
  await page.getByLabel('Code').fill(recovery_codes[0] ?? '')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText(/not linked to a merchant yet/)).toBeVisible()
})

async function setUp(page: Page): Promise<string[]> {
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  const address = new URL((await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')) ?? '')
  const secret = address.searchParams.get('secret') ?? ''
  await expect(page.getByText(secret.match(/.{1,4}/g)?.join(' ') ?? '', { exact: true })).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill('000 000 0')
  await page.getByRole('button', { name: 'Turn On', exact: true }).click()
  await expect(page.getByText('That code is not right, or was used already')).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn On', exact: true }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return codes.allTextContents()
}

test('SEC-14 the profile turns two steps on by a QR code, with recovery codes to write down, asks for the code with a new e-mail as well, and turns them off again', async ({
  openDesk,
  dataDir,
}) => {
  const { owner } = await openShop(dataDir)
  const page = await openDesk(owner)
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'Set Up', exact: true }).click()
  const form = dialog(page, 'Set Up Two-Step Sign-In')
  await form.getByLabel('Current password', { exact: true }).fill('not-the-password')
  await form.getByRole('button', { name: 'Continue' }).click()
  await expect(form.getByText('Your current password is incorrect')).toBeVisible()
  const codes = await setUp(page)
  // A slip must not close a dialog whose contents show only once.
  await page.keyboard.press('Escape')
  await expect(form.getByRole('alert')).toHaveText(/They are not shown again/)
  const download = page.waitForEvent('download')
  await form.getByRole('button', { name: 'Download' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  for (const code of codes) expect(file).toContain(code)
  await form.getByRole('button', { name: 'Copy' }).click()
  await expect(form.getByText(/^(Copied\.|Your browser does not let)/)).toBeVisible()
  await form.getByRole('button', { name: 'I have kept them' }).click()
  await expect(toast(page, 'Two-step sign-in is on.')).toBeVisible()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()

  await page.getByRole('button', { name: 'New Recovery Codes' }).click()
  const renewal = dialog(page, 'New Recovery Codes')
  await renewal.getByLabel('Current password', { exact: true }).fill(password)
  await renewal.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
  await renewal.getByRole('button', { name: 'Make New Codes' }).click()
  const renewed = renewal.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(renewed).toHaveCount(10)
  const [next = '', another = ''] = await renewed.allTextContents()
  expect(codes).not.toContain(next)
  await renewal.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const asked = page.getByLabel('Code', { exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByLabel('First name').fill('Adele')
  await expect(asked).toHaveCount(0)
  await page.getByLabel('Email').fill(`new-${owner}`)
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await save.click()
  await expect(page.getByText('Please enter your code', { exact: true })).toBeVisible()
  await asked.fill('000 000 0')
  await save.click()
  await expect(page.getByText('That code is not right, or was used already', { exact: true })).toBeVisible()
  await expect(asked).toBeFocused()
  await asked.fill(another)
  await save.click()
  await expect(toast(page, 'Profile updated successfully!')).toBeVisible()
  await expect(asked).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Email')).toHaveValue(`new-${owner}`)

  await page.getByRole('button', { name: 'Turn Off' }).click()
  const removal = dialog(page, 'Turn Off Two-Step Sign-In')
  await removal.getByLabel('Current password', { exact: true }).fill(password)
  await removal.getByLabel('Code', { exact: true }).fill(codes[1] ?? '')
  await removal.getByRole('button', { name: 'Turn Off' }).click()
  await expect(removal.getByText('That code is not right, or was used already')).toBeVisible()
  await removal.getByLabel('Code', { exact: true }).fill(next)
  await removal.getByRole('button', { name: 'Turn Off' }).click()
  await expect(toast(page, 'Two-step sign-in is off.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set Up', exact: true })).toBeVisible()
})

test('once an owner requires it, people without it are asked in the middle of their work to set it up', async ({
  openDesk,
  dataDir,
  outside,
}) => {
  const { key, owner } = await openShop(dataDir)
  const page = await openDesk(owner)
  await page.goto('/settings/users')
  await page.getByRole('button', { name: 'Require It', exact: true }).click()
  const switching = dialog(page, 'Require Two-Step Sign-In')
  await switching.getByRole('button', { name: 'Require It', exact: true }).click()
  await expect(switching.getByRole('alert')).toHaveText(/set up two-step sign-in for yourself first/)
  await switching.getByRole('link', { name: 'Go to your profile' }).click()
  await page.getByRole('button', { name: 'Set Up', exact: true }).click()
  await setUp(page)
  await page.getByRole('button', { name: 'I have kept them' }).click()

  const colleague = `rosa@${key}.test`
  await hire(outside, page, colleague)
  const theirs = await openDesk(colleague)
  await openOrders(theirs)
  await page.goto('/settings/users')
  await page.getByRole('button', { name: 'Require It', exact: true }).click()
  await switching.getByRole('button', { name: 'Require It', exact: true }).click()
  await expect(page.getByText('Required.', { exact: true })).toBeVisible()

  // Without a press: the end of the event stream makes the page ask.
  await expect(theirs.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible()
  await expect(theirs.getByRole('navigation')).toHaveCount(0)
  await theirs.reload()
  await expect(theirs.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible()
  await setUp(theirs)
  await theirs.getByRole('button', { name: 'I have kept them' }).click()
  await openOrders(theirs)
  await theirs.goto('/settings/profile')
  await expect(theirs.getByText(/Your merchant requires it of everybody/)).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Turn Off' })).toHaveCount(0)
})

/** Invites a person as the page's owner, and sets a password through the mailed link. */
async function hire(outside: Outside, page: Page, email: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('jwt'))
  const tmk = email.slice(email.indexOf('@') + 1, -'.test'.length)
  await outside.call('POST /c/v2/merchants/{tmk}/users', {
    as: `Bearer ${token}`,
    params: { tmk },
    body: { email, first_name: 'Rosa', last_name: 'Vine', roles: ['merch.user'] },
  })
  const reset_token = (await linkMailedTo(outside, email)).split('/').at(-1) ?? ''
  await outside.call('POST /a/v2/accounts/password', {
    as: basic('dashboard:dashboard'),
    body: { new_password: password, reset_token },
  })
}
