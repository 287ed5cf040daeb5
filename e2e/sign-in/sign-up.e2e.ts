import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { basic } from '../../server/seed/calls.ts'
import { expect, test, toast } from '../desk.ts'
import { linkMailedTo } from './outbox.ts'

test.use({ person: null })

const newEmail = () => `new-${randomBytes(5).toString('hex')}@example.test`
const create = (page: Page) => page.getByRole('button', { name: 'Create Account' })

async function chooseBirthDate(page: Page, [month, day, year]: [string, string, string]): Promise<void> {
  await page.getByLabel('Month of birth').selectOption(month)
  await page.getByLabel('Year of birth').selectOption(year)
  await page.getByLabel('Day of birth').selectOption(day)
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Field')
  await chooseBirthDate(page, ['February', '29', '1992'])
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill('a-long-password')
  await page.getByRole('checkbox', { name: /accept/ }).check()
}

test('ROUTE-006 ROUTE-008 AUTH-005 AUTH-024 an account is created with name, birth date, e-mail and password, and leads to the sign-in', async ({
  page,
}) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/signup$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Create an Account' })).toBeVisible()
  const email = newEmail()
  await fillIn(page, email)
  await create(page).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(toast(page, 'Your account was created. Please sign in.')).toBeVisible()
})

test('VALID-001 VALID-002 VALID-004 VALID-005 VALID-013 AUTH-007 AUTH-008 ERR-003 ERR-004 every field shows its own problem, and the first gets the focus; a taken e-mail leads to a password reset, which names an unknown one', async ({
  page,
}) => {
  await page.goto('/signup')
  await create(page).click()
  for (const text of [
    'Please enter your first name',
    'Please enter your last name',
    'Please enter your birth date',
    'Please enter your email',
    'Please enter your password',
    'You must accept terms',
  ])
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  await expect(page.getByLabel('First name')).toBeFocused()
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription('Please enter your first name')
  await expect(page.getByRole('checkbox', { name: /accept/ })).toHaveAccessibleDescription(
    'You must accept terms',
  )
  await fillIn(page, 'nora at example')
  await page.getByLabel('Password', { exact: true }).fill('123456789')
  await page.getByRole('checkbox', { name: /accept/ }).uncheck()
  await create(page).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
  await expect(page.getByText('Please enter a valid email address', { exact: true })).toBeVisible()
  await expect(
    page.getByText('Your password must have at least 10 characters', { exact: true }),
  ).toBeVisible()
  await expect(page.getByText('You must accept terms', { exact: true })).toBeVisible()
  await expect(page.getByText('Please enter your first name', { exact: true })).toHaveCount(0)
  await expect(page).toHaveURL(/\/signup$/)

  await fillIn(page, 'Owner@demo.test')
  await create(page).click()
  await expect(page.getByText('The email entered already exists')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
  await expect(page.getByLabel('First name')).toHaveValue('Nora')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/\/forgot$/)

  await page.getByRole('textbox', { name: 'Email' }).fill('')
  await page.getByRole('button', { name: 'Send Instructions' }).click()
  await expect(page.getByText('Please enter your email', { exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await page.getByRole('button', { name: 'Send Instructions' }).click()
  await expect(
    page.getByText('The email entered does not exists. Please review and try again.', { exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
})

test('AUTH-006 VALID-006 VALID-007 VALID-008 VALID-009 the birth date has 120 years and days by month and leap year, and is real and past; the password can be shown and hidden', async ({
  page,
}) => {
  await page.goto('/signup')
  const thisYear = new Date().getFullYear()
  const years = page.getByLabel('Year of birth')
  await expect(years).toBeVisible()
  expect((await years.getByRole('option').allInnerTexts()).slice(1)).toEqual(
    Array.from({ length: 120 }, (_, index) => String(thisYear - index)),
  )
  const lastDay = async () =>
    (await page.getByLabel('Day of birth').getByRole('option').allInnerTexts()).at(-1)
  await expect.poll(lastDay).toBe('31')
  await page.getByLabel('Month of birth').selectOption('April')
  await expect.poll(lastDay).toBe('30')
  await page.getByLabel('Month of birth').selectOption('February')
  await page.getByLabel('Year of birth').selectOption('1992')
  await expect.poll(lastDay).toBe('29')
  await page.getByLabel('Day of birth').selectOption('29')
  await page.getByLabel('Year of birth').selectOption('1993')
  await expect.poll(lastDay).toBe('28')
  await expect(page.getByLabel('Day of birth')).toHaveValue('')
  await create(page).click()
  await expect(page.getByText('You must choose a valid birth date', { exact: true })).toBeVisible()
  // Too recent all year: today would be a valid date once midnight has come between here and the press.
  await chooseBirthDate(page, ['December', '31', String(thisYear)])
  await create(page).click()
  await expect(page.getByText('You must chose a valid birth date', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Month of birth')).toHaveAccessibleDescription(
    'You must chose a valid birth date',
  )

  const field = page.getByLabel('Password', { exact: true })
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show the password' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Show the password' }).click()
  await expect(field).toHaveAttribute('type', 'password')
})

test('ROUTE-009 AUTH-009 AUTH-010 AUTH-011 AUTH-012 AUTH-015 AUTH-025 a reset is requested and requested again; a later visit starts anew', async ({
  page,
}) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/\/forgot$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Reset Password' })).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Email' }).fill('member@demo.test')
  await page.getByRole('button', { name: 'Send Instructions' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Instructions Sent' })).toBeVisible()
  await expect(page.getByText('member@demo.test')).toBeVisible()
  await expect(page.getByText(/may take up to 15 minutes/)).toBeVisible()
  await page.getByRole('button', { name: 'Resend' }).click()
  await expect(
    toast(page, 'Instructions were sent to member@demo.test again. Only the newest link works.'),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reset Password' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('')
})

test('ROUTE-011 ROUTE-012 AUTH-013 ERR-005 ERR-006 with a bad token, the form and a toast say that the reset failed', async ({
  page,
}) => {
  await page.goto('/forgot/password-reset/no-such-token')
  await expect(page.getByRole('heading', { level: 1, name: 'Enter a New Password' })).toBeVisible()
  const update = page.getByRole('button', { name: 'Update Password' })
  await page.getByLabel('New password', { exact: true }).fill('too-short')
  await update.click()
  await expect(
    page.getByText('Your password must have at least 10 characters', { exact: true }),
  ).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('a-new-password')
  const sent = page.waitForRequest((request) => request.url().endsWith('/a/v2/accounts/password'))
  await update.click()
  expect((await sent).postDataJSON()).toEqual({
    new_password: 'a-new-password',
    reset_token: 'no-such-token',
  })
  const text = 'There was a problem trying to update your password. Please try again'
  await expect(page.getByRole('alert')).toHaveText(text)
  await expect(toast(page, text)).toBeVisible()
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('a-new-password')
})

test('AUTH-026 AUTH-013 AUTH-014 a new password through the mailed link leads to the sign-in, which confirms it', async ({
  page,
  outside,
}) => {
  const email = `reset-${randomBytes(5).toString('hex')}@example.test`
  const as = basic('dashboard:dashboard')
  const person = { first_name: 'Ria', last_name: 'Reset', birthday: '1990-05-06' }
  await outside.call('POST /a/v2/users', { as, body: { ...person, email, password: 'an-old-password' } })
  await outside.call('POST /a/v2/accounts/password_token', { as, body: { email } })
  await page.goto(await linkMailedTo(outside, email))
  await page.getByLabel('New password', { exact: true }).fill('a-new-password')
  await page.getByRole('button', { name: 'Update Password' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(toast(page, 'Password Updated successfully')).toBeVisible()
  const said = page.getByText('Please sign in with your new password. The earlier one has ended.')
  await expect(said).toBeVisible()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Reset Password' }).waitFor()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await expect(said).toHaveCount(0)
})

test.describe('with a session', () => {
  test.use({ person: 'member@demo.test' })

  test('ROUTE-007 ROUTE-010 /signup and /forgot lead to / and so to the orders', async ({ page }) => {
    for (const path of ['/signup', '/forgot']) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/orders\/active$/)
    }
  })
})
