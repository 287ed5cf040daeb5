import { randomBytes } from 'node:crypto'
import { basic } from '../server/seed/calls.ts'
import { codeOf, counterAt } from '../server/src/sign-in/totp.ts'
import { expect, test } from './desk.ts'

// The account has no merchant, and React writes the error that has a page of its own to the console.
test.use({ person: null, designedErrors: /^\w+\n +at beforeLoad / })

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

test('who uses two steps is asked for the code, and a recovery code signs in', async ({ page, outside }) => {
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
  const code = codeOf(fromBase32(secret), counterAt(Date.now()))
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
