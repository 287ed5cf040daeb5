import type { Page } from '@playwright/test'
import { expect, test } from '../desk.ts'
import { password } from '../people.ts'

test.use({ person: null })

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill('member@demo.test')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(page.getByRole('banner').getByText('Harbor Wine & Spirits')).toBeVisible()
}

test('a browser whose storage is full signs in all the same', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  await signIn(page)
})

test('a browser that blocks its storage signs in all the same', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
  await signIn(page)
})

for (const hours of [13, -13])
  test(`a clock that is ${hours} hours off keeps nobody out, also after a reload`, async ({ page }) => {
    await page.clock.setSystemTime(Date.now() + hours * 60 * 60_000)
    await signIn(page)
    await page.reload()
    await expect(page.getByRole('banner').getByText('Harbor Wine & Spirits')).toBeVisible()
    await expect(page).toHaveURL(/\/orders\/active$/)
  })

test('a cookie that another program broke keeps nobody out, and the sign-in replaces it', async ({
  page,
  context,
  url,
}) => {
  await context.addCookies([{ name: 'tmk', value: '%', url }])
  await signIn(page)
  await context.addCookies([{ name: 'tmk', value: '%', url }])
  await page.goto('/inventory')
  await expect(page.getByText(/^Last Update/)).toBeVisible()
  expect(await context.cookies()).toContainEqual(expect.objectContaining({ name: 'tmk', value: 'demo' }))
})
