import type { Page } from '@playwright/test'
import { dialog, expect, follow, test, toast } from '../desk.ts'
import { password, signIn } from '../people.ts'
import { openPlainGateway } from '../servers/plain-gateway.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const newPassword = (page: Page) => page.getByLabel('New password', { exact: true })
const currentPassword = (page: Page) => page.getByLabel('Current password', { exact: true })

async function openProfile(page: Page): Promise<void> {
  await page.goto('/settings/profile')
  await expect(page.getByRole('heading', { level: 2, name: 'Basic Information' })).toBeVisible()
}

test.describe('a manager', () => {
  test.use({ person: 'manager@demo.test' })

  test('ROUTE-020 ROUTE-022 ROUTE-023 PROF-001 /settings leads to the profile, as does the menu; in one scrolling row the page’s own link is in sight', async ({
    page,
  }) => {
    await page.goto('/settings')
    await expect(page).toHaveURL(/\/settings\/profile$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: 'Basic Information' })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('manager@demo.test')
    await page.getByRole('link', { name: 'Orders' }).click()
    await expect(page).toHaveURL(/\/orders\/active$/)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await expect(page).toHaveURL(/\/settings\/profile$/)

    await page.setViewportSize({ width: 390, height: 844 })
    const links = page.getByRole('navigation', { name: 'Settings' })
    await expect(links.getByRole('link', { name: 'Profile' })).toBeInViewport({ ratio: 1 })
    await page.goto('/settings/carrier')
    await expect(links.getByRole('link', { name: 'Carrier Account' })).toBeInViewport({ ratio: 1 })
  })

  test('PROF-002 PROF-003 PROF-004 PROF-005 VALID-010 GAP-159 a generated password is shown and can be copied; a missing or wrong value is named at its field, and nothing is sent', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/a/v2/users/')) sent.push(request.url())
    })
    await openProfile(page)
    await expect(page.getByRole('button', { name: 'Copy' })).toBeDisabled()
    await page.getByRole('button', { name: 'Generate' }).click()
    await expect(newPassword(page)).toHaveAttribute('type', 'text')
    const text = await newPassword(page).inputValue()
    const kinds = [/[a-z]/g, /[A-Z]/g, /[#!$&*()]/g, /\d/g].map((kind) => text.match(kind)?.length)
    expect([text.length, ...kinds]).toEqual([16, 6, 3, 3, 4])
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect(toast(page, /was copied/)).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)

    await page.getByLabel('First name').fill('')
    await page.getByLabel('Last name').fill(' ')
    await page.getByLabel('Email').fill('')
    await page.getByLabel('Phone number').fill('12')
    await newPassword(page).fill('short')
    await save(page).click()
    for (const problem of [
      'Please enter your first name',
      'Please enter your last name',
      'Please enter your email',
      'Please enter a valid phone number',
      'Your password must have at least 10 characters',
      'Please enter your current password',
    ])
      await expect(page.getByText(problem, { exact: true })).toBeVisible()
    await expect(page.getByLabel('First name')).toBeFocused()
    expect(sent).toEqual([])
  })

  test('SHELL-023 a change enables save, and unsaved work cannot be left without a question', async ({
    page,
  }) => {
    await openProfile(page)
    await expect(save(page)).toBeDisabled()
    await page.getByLabel('First name').fill('Thomasina')
    await expect(save(page)).toBeEnabled()
    await page.getByRole('link', { name: 'Orders' }).click()
    const question = dialog(page, 'Leave without saving?')
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(question).toHaveCount(0)
    await expect(page.getByLabel('First name')).toHaveValue('Thomasina')
    await page.getByRole('link', { name: 'Orders' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL(/\/orders\/active$/)
    await expect(page.getByLabel('First name')).toHaveCount(0)
    await follow(page, '/settings/profile')
    await expect(page.getByLabel('Email')).toHaveValue('manager@demo.test')
    await expect(page.getByLabel('First name')).not.toHaveValue('Thomasina')
  })
})

test('GEN-022 PROF-006 PROF-008 GAP-160 names are saved without a password, a new password needs the present one, and the person stays signed in', async ({
  openDesk,
  ownShop,
}) => {
  const page = await openDesk(ownShop.owner)
  await openProfile(page)
  await page.getByLabel('First name').fill('Adele')
  await expect(currentPassword(page)).toHaveCount(0)
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/a/v2/users/'),
  )
  await save(page).click()
  expect((await sent).postDataJSON()).toEqual({
    first_name: 'Adele',
    last_name: 'Marsh',
    email: ownShop.owner,
  })
  await expect(toast(page, 'Profile updated successfully!')).toBeVisible()
  await expect(save(page)).toBeDisabled()

  await newPassword(page).fill('another-password')
  await currentPassword(page).fill('not-the-password')
  await save(page).click()
  await expect(page.getByText('Your current password is incorrect', { exact: true })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'went wrong' })).toHaveText(
    "Something went wrong, changes weren't saved.",
  )
  await expect(currentPassword(page)).toBeFocused()

  const before = await page.evaluate(() => localStorage.getItem('jwt'))
  // The change also ends the event stream; the page reopens it with the new token.
  const streamAgain = page.waitForResponse(
    (reply) => reply.url().endsWith('/events') && reply.status() === 200,
  )
  await currentPassword(page).fill(password)
  await save(page).click()
  await expect(newPassword(page)).toHaveValue('')
  await streamAgain
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('jwt'))).not.toBe(before)
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue('Adele')

  await newPassword(page).fill(password)
  await currentPassword(page).fill('another-password')
  await save(page).click()
  await expect(newPassword(page)).toHaveValue('')
  await expect(save(page)).toBeDisabled()
})

test('PROF-007 the person’s record is fetched where the session has no e-mail, and only there', async ({
  openDesk,
  url,
}) => {
  const gateway = await openPlainGateway(url, (call, key) => call === 'GET /a/v2/sessions' && key === 'email')
  try {
    for (const [baseURL, times] of [
      [url, 0],
      [gateway.url, 1],
    ] as const) {
      const page = await openDesk('manager@demo.test', { baseURL })
      let asked = 0
      page.on('request', (request) => {
        if (request.method() === 'GET' && /\/a\/v2\/users\/[^/]+$/.test(request.url())) asked++
      })
      await openProfile(page)
      await expect(page.getByLabel('Email')).toHaveValue('manager@demo.test')
      expect(asked).toBe(times)
      await page.close()
    }
  } finally {
    await gateway.remove()
  }
})

test('a person sees their sessions, and ends another one', async ({ openDesk, ownShop, url, outside }) => {
  const page = await openDesk(ownShop.owner)
  const { bearer } = await signIn(url, ownShop.owner)
  await openProfile(page)
  const sessions = page
    .getByRole('region')
    .or(page.locator('section'))
    .filter({
      has: page.getByRole('heading', { name: 'Where you are signed in' }),
    })
  await expect(sessions.getByText('This one', { exact: true })).toHaveCount(1)
  const others = sessions.getByRole('button', { name: /^Sign out .+, signed in/ })
  await expect(others).not.toHaveCount(0)
  while ((await others.count()) > 0) {
    const before = await others.count()
    await others.first().click()
    await expect(others).toHaveCount(before - 1)
  }
  await expect(outside.call('GET /a/v2/sessions', { as: bearer })).rejects.toThrow(/answered 401/)
  await page.reload()
  await expect(sessions.getByText('This one', { exact: true })).toBeVisible()
})
