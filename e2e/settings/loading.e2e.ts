import type { Page } from '@playwright/test'
import { expect, test } from '../desk.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** By the menu, as a clerk goes: the route asks for the page's data, and the page before it stays meanwhile. */
async function go(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click()
}

const dataOf = {
  Company: '/c/v2/merchants/{tmk}/hours',
  Users: '/c/v2/merchants/{tmk}/users',
  Billing: '/c/v2/merchants/{tmk}/payments',
  'Carrier Account': '/c/v2/merchants/{tmk}/carrier_integration',
  Rules: '/m/v2/merchant/{tmk}/duties',
}

test('a settings page shows with its data at once; until then the page says that it waits', async ({
  openDesk,
  ownShop: shop,
  cable,
}) => {
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await page.goto('/settings/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  for (const [name, call] of Object.entries(dataOf)) {
    cable.holdAnswers(`GET ${call.replace('{tmk}', shop.key)} `)
    await go(page, name)
    await expect(page.getByRole('status').filter({ hasText: 'Loading the page' })).toBeVisible()
    await expect(heading(page, name)).toHaveCount(0)
    cable.mend()
    await expect(heading(page, name)).toBeVisible()
    await expect(page.getByText('Loading the page')).toHaveCount(0)
  }
})

test('a form starts from what is stored at this visit, however often its page was open before', async ({
  openDesk,
  ownShop: shop,
  outside,
}) => {
  const page = await openDesk(shop.owner)
  await page.goto('/settings/company')
  const sunday = page.getByRole('group', { name: 'Sunday', exact: true })
  await expect(sunday.getByText('Closed', { exact: true })).toBeVisible()
  await go(page, 'Profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  const jwt = await page.evaluate(() => localStorage.getItem('jwt'))
  await outside.call('PUT /c/v2/merchants/{tmk}/hours', {
    as: `Bearer ${jwt ?? ''}`,
    params: { tmk: shop.key },
    body: { regular_hours: [{ weekday: 'sunday', time_open: '10:00', time_close: '16:00' }] },
  })
  await go(page, 'Company')
  await expect(sunday.getByLabel('Opens, hour')).toHaveValue('10')
  await expect(page.getByRole('button', { name: 'Save' }).last()).toBeDisabled()
})
