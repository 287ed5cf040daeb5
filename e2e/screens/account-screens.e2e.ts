import type { Page } from '@playwright/test'
import { overhangOf, violationsOf } from './axe.ts'
import { expect, test } from '../desk.ts'
import { resize } from '../page-time.ts'
import { password } from '../people.ts'

type Show = (page: Page) => Promise<unknown>

const inUsers =
  (button: RegExp): Show =>
  async (page) => {
    await page.goto('/settings/users')
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').waitFor()
  }

async function startTwoStep(page: Page): Promise<void> {
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'Set Up', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Current password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Continue' }).click()
  await form.getByRole('img', { name: /QR code/ }).waitFor()
}

const screens: readonly [name: string, person: string | null, show: Show][] = [
  ['terms', null, (page) => page.goto('/terms')],
  [
    'profile',
    'member@demo.test',
    async (page) => {
      await page.goto('/settings/profile')
      await page.getByRole('button', { name: 'Generate' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('This one').waitFor()
    },
  ],
  [
    'developers',
    'member@demo.test',
    async (page) => {
      await page.goto('/developers')
      await page.getByRole('heading', { name: 'Developers' }).waitFor()
    },
  ],
  ['reports', 'member@demo.test', (page) => page.goto('/reports')],
  [
    'users of a manager',
    'manager@demo.test',
    async (page) => {
      await page.goto('/settings/users')
      await page.getByText('owner@demo.test').waitFor()
    },
  ],
  [
    'users of an owner',
    'owner@demo.test',
    async (page) => {
      await page.goto('/settings/users')
      await page.getByText('owner@demo.test').waitFor()
    },
  ],
  ['two-step sign-in', 'member@demo.test', startTwoStep],
  [
    'require two steps',
    'owner@demo.test',
    async (page) => {
      await page.goto('/settings/users')
      await page.getByRole('button', { name: 'Require It', exact: true }).click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  ['invite', 'owner@demo.test', inUsers(/INVITE/)],
  ['edit', 'owner@demo.test', inUsers(/^Edit/)],
  ['revoke', 'owner@demo.test', inUsers(/^Revoke/)],
]

for (const [name, person, show] of screens) {
  test.describe(name, () => {
    test.use({ person })

    test('axe finds nothing in either scheme, wide or on a phone, and nothing exceeds 320 pixels', async ({
      page,
    }) => {
      // Two of the four combinations; accessibility.e2e.ts gives the reason.
      for (const [size, colorScheme] of [
        [{ width: 1440, height: 900 }, 'light'],
        [{ width: 390, height: 844 }, 'dark'],
      ] as const) {
        await page.setViewportSize(size)
        await page.emulateMedia({ colorScheme })
        await show(page)
        await expect(page.getByRole('heading').first()).toBeVisible()
        expect(
          await violationsOf(page, name === 'developers' ? 'header' : undefined),
          `axe at ${size.width} px, ${colorScheme}`,
        ).toEqual([])
      }
      await resize(page, { width: 320, height: 568 })
      expect(await overhangOf(page), 'pixels beyond the window').toBe(0)
    })
  })
}
