import type { Locator, Page } from '@playwright/test'
import { expect, test, toast } from '../desk.ts'
import { resize } from '../page-time.ts'

async function open(page: Page): Promise<void> {
  await page.goto('/settings/company')
  await expect(page.getByRole('heading', { name: 'Store Details' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Delivery Hours' })).toBeVisible()
}

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) })
const day = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

async function time(row: Locator, part: 'Opens' | 'Closes', [hour, minute, half]: string[]): Promise<void> {
  await row.getByLabel(`${part}, hour`).fill(hour ?? '')
  await row.getByLabel(`${part}, minute`).fill(minute ?? '')
  await row.getByLabel(`${part}, AM or PM`).selectOption(half ?? '')
}

test('GEN-022 GEN-024 ROUTE-024 COMP-001 COMP-002 COMP-003 COMP-004 VALID-013 SHELL-023 the store’s details are saved, and missing or malformed ones are named at their fields', async ({
  openDesk,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await page.goto('/settings/profile')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Company' }).click()
  await expect(page).toHaveURL(/\/settings\/company$/)
  const form = card(page, 'Store Details')
  const save = form.getByRole('button', { name: 'Save' })
  await expect(form.getByLabel('Store name')).toHaveValue(shop.name)
  await expect(save).toBeDisabled()
  const needed = {
    'Store name': 'store name',
    Street: 'street',
    'Suite floor': 'suite floor',
    City: 'city',
    State: 'state',
    Zip: 'zip',
    'Primary contact': 'primary contact',
    'Primary email': 'primary email',
    'Primary phone': 'primary phone',
  }
  for (const label of Object.keys(needed)) await form.getByLabel(label, { exact: true }).fill('')
  await save.click()
  for (const called of Object.values(needed))
    await expect(form.getByText(`Please enter your ${called}`, { exact: true })).toBeVisible()
  await expect(form.getByLabel('Store name')).toBeFocused()

  const values = {
    'Store name': 'Quai & Fils <b>№ 9</b>',
    Street: '9 Wharf Lane',
    'Suite floor': 'N/A',
    City: 'Albany',
    State: 'NY',
    Zip: '12207',
    'Primary contact': 'Zoë O’Hara',
    'Primary email': 'hello@quai.test',
    'Primary phone': '(518) 555-0140',
    'Secondary email': 'back@quai.test',
  }
  for (const [label, value] of Object.entries(values))
    await form.getByLabel(label, { exact: true }).fill(value)
  await save.click()
  await expect(toast(page, 'Company information updated successfully!')).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(page.getByRole('banner').getByText('Quai & Fils <b>№ 9</b>')).toBeVisible()
  await page.reload()
  for (const [label, value] of Object.entries(values))
    await expect(form.getByLabel(label, { exact: true })).toHaveValue(value)

  await form.getByLabel('Store name').fill(shop.name)
  await save.click()
  await expect(page.getByRole('banner').getByText(shop.name)).toBeVisible()

  await form.getByLabel('Zip').fill('1000')
  await form.getByLabel('Secondary email').fill('back@')
  await form.getByLabel('Secondary phone').fill('12')
  await save.click()
  await expect(form.getByText('Please enter a valid zip', { exact: true })).toBeVisible()
  await expect(form.getByText('Please enter a valid email address', { exact: true })).toBeVisible()
  await expect(form.getByText('Please enter a valid phone number', { exact: true })).toBeVisible()
  await expect(form.getByLabel('Zip')).toBeFocused()
})

test('COMP-006 COMP-007 COMP-008 COMP-009 ENT-056 GAP-157 hours by the 12-hour clock, all day, closed, and copied to all days', async ({
  openDesk,
  ownShop: shop,
  outside,
}) => {
  const page = await openDesk(shop.owner)
  await open(page)
  const form = card(page, 'Delivery Hours')
  await expect(form.getByRole('group')).toHaveCount(7)
  const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  for (const [index, name] of names.entries())
    await expect(form.getByRole('group').nth(index)).toHaveAccessibleName(name)
  const save = form.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()

  const monday = day(page, 'Monday')
  await expect(monday.getByText('Closed', { exact: true })).toBeVisible()
  const unsaid = form.getByText('No day is saved as open, so Monday to Friday count as business days.')
  await expect(unsaid).toBeVisible()
  await monday.getByRole('switch', { name: 'Open' }).click()
  for (const width of [1440, 1101, 390]) {
    await resize(page, { width, height: 900 })
    expect(await monday.evaluate((row) => row.scrollWidth - row.clientWidth), `at ${width} pixels`).toBe(0)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const [hour, minute, problem] of [
    ['0', '00', 'Please enter an hour from 1 to 12'],
    ['13', '00', 'Please enter an hour from 1 to 12'],
    ['9', '60', 'Please enter minutes from 00 to 59'],
  ]) {
    await time(monday, 'Opens', [hour ?? '', minute ?? '', 'AM'])
    await save.click()
    await expect(monday.getByText(problem ?? '', { exact: true })).toBeVisible()
  }
  await expect(monday.getByLabel('Opens, minute')).toBeFocused()
  await time(monday, 'Opens', ['9', '', 'PM'])
  await time(monday, 'Closes', ['8', '30', 'PM'])
  await save.click()
  await expect(monday.getByText(/^Must close later than it opens/)).toBeVisible()
  await time(monday, 'Opens', ['12', '', 'PM'])
  await day(page, 'Monday').getByRole('button', { name: 'Copy to all days: Monday' }).click()
  const sunday = day(page, 'Sunday')
  await expect(sunday.getByLabel('Closes, minute')).toHaveValue('30')
  await sunday.getByRole('switch', { name: 'Open' }).click()
  const saturday = day(page, 'Saturday')
  await saturday.getByRole('switch', { name: '24 hours' }).click()
  await expect(saturday.getByLabel('Opens, hour')).toHaveValue('12')
  await expect(saturday.getByLabel('Closes, minute')).toHaveValue('59')
  await expect(saturday.getByLabel('Opens, hour')).toBeDisabled()
  await save.click()
  await expect(toast(page, 'Delivery hours updated successfully!')).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(unsaid).toBeHidden()

  const jwt = await page.evaluate(() => localStorage.getItem('jwt'))
  const { regular_hours } = await outside.call('GET /c/v2/merchants/{tmk}/hours', {
    as: `Bearer ${jwt ?? ''}`,
    params: { tmk: shop.key },
  })
  expect(regular_hours).toHaveLength(6)
  expect(regular_hours[0]).toEqual({ weekday: 'monday', time_open: '12:00', time_close: '20:30' })
  expect(regular_hours[5]).toEqual({ weekday: 'saturday', time_open: '00:00', time_close: '23:59' })
  await page.reload()
  await expect(saturday.getByRole('switch', { name: '24 hours' })).toBeChecked()
  await expect(sunday.getByText('Closed', { exact: true })).toBeVisible()
})

test('COMP-005 COMP-010 a failed save says so, keeps the typed text, and the next press saves it', async ({
  openDesk,
  ownShop: shop,
  cable,
}) => {
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await open(page)
  await card(page, 'Store Details').getByLabel('Street').fill('10 Wharf Lane')
  await card(page, 'Store Details').getByLabel('Suite floor').fill('N/A')
  await card(page, 'Store Details').getByLabel('Primary contact').fill('Ada Marsh')
  await day(page, 'Tuesday').getByRole('button', { name: 'Copy to all days: Tuesday' }).click()
  const friday = day(page, 'Friday').getByRole('switch', { name: 'Open' })
  await friday.click()
  cable.cut()
  for (const title of ['Store Details', 'Delivery Hours']) {
    await card(page, title).getByRole('button', { name: 'Save' }).click()
    await expect(card(page, title).getByRole('alert')).toHaveText(
      "Something went wrong, changes weren't saved.",
    )
  }
  await expect(card(page, 'Store Details').getByLabel('Street')).toHaveValue('10 Wharf Lane')
  cable.mend()
  await card(page, 'Store Details').getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Company information updated successfully!')).toBeVisible()
  await card(page, 'Delivery Hours').getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Delivery hours updated successfully!')).toBeVisible()
  for (const title of ['Store Details', 'Delivery Hours'])
    await expect(card(page, title).getByRole('alert')).toHaveCount(0)
})
