import type { Page, Request } from '@playwright/test'
import { openBadGateway } from '../servers/bad-gateway.ts'
import { expect, test, toast } from '../desk.ts'
import { openShop } from '../shop.ts'

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) })
const banner = (page: Page) => page.getByRole('region', { name: 'Your settings are incomplete' })

async function decide(page: Page, link: string, outcome: RegExp): Promise<void> {
  await card(page, 'Payment Account').getByRole('link', { name: link }).click()
  await expect(page.getByRole('heading', { name: 'Payments sandbox' })).toBeVisible()
  await page.getByRole('link', { name: outcome }).click()
  await expect(page).toHaveURL(/\/settings\/billing$/)
}

const form = {
  'First name': 'Zoë',
  'Last name': 'Ek',
  Email: 'zoe@example.com',
  Phone: '(212) 555-0123',
  'Date of birth': '1980-02-29',
  'Home street': '1 Pier',
  'Home city': 'New York',
  'Home zip': '10001',
  'Legal name': 'Zoë Ek LLC',
  'DBA name': 'Zoë’s Cellar',
  EIN: '12-3456789',
  'Business street': '1 Pier',
  'Business city': 'New York',
  'Business zip': '10001',
  'Deposit descriptor': 'ZOES CELLAR',
  'Routing number': '021000021',
  'Account number': '000123456789',
}

test('GEN-023 ROUTE-026 SHELL-003 SHELL-004 BILL-001 BILL-003 BILL-004 BILL-005 BILL-006 BILL-007 BILL-019 GAP-152 GAP-153 the banner leads to billing, where the provider’s page decides what shows and whether orders arrive', async ({
  openDesk,
  dataDir,
  outside,
  cable,
}) => {
  const shop = await openShop(dataDir, { isOnboarded: false })
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  const account = page.waitForResponse(/\/payments\/stripe$/)
  await page.goto('/orders/active')
  expect((await account).status()).toBe(404)
  await expect(banner(page)).toHaveText(
    'Your settings are incomplete: please set up payments in order to receive orders.',
  )
  await expect(outside.order(shop.key)).rejects.toThrow()
  await banner(page).getByRole('link', { name: 'set up payments' }).click()
  await expect(page).toHaveURL(/\/settings\/billing$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible()
  await expect(
    page.getByText('We are planning to switch our payment provider in December 2023.', { exact: true }),
  ).toBeVisible()

  await expect(card(page, 'Payment Account').getByRole('link', { name: 'Set up payments' })).toBeVisible()
  cable.holdAnswers(`GET /v1/merchant/${shop.key}/stripe`)
  await decide(page, 'Set up payments', /pending$/)
  await expect(page.getByText('Loading your payment account')).toBeVisible()
  cable.mend()
  await expect(page.getByText(/is being checked/)).toBeVisible()
  await expect(banner(page)).toBeVisible()
  await expect(outside.order(shop.key)).rejects.toThrow()

  await decide(page, 'Go to your payments dashboard', /active$/)
  await expect(page.getByText('Payments are set up, and orders come in.')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
  expect((await outside.order(shop.key)).status).toBe('SUBMITTED')

  await decide(page, 'Go to your payments dashboard', /restricted$/)
  await expect(page.getByRole('link', { name: 'Set up payments' })).toBeVisible()
  await expect(banner(page)).toBeVisible()
  await decide(page, 'Set up payments', /rejected$/)
  await expect(
    page.getByText('There was an issue loading your payment account. Please contact Thirstie Support.', {
      exact: true,
    }),
  ).toBeVisible()
})

for (const status of [404, 502])
  test(`BILL-006 a payment account whose call answers ${status} is asked for once, and again by a press`, async ({
    openDesk,
    dataDir,
    url,
  }) => {
    const shop = await openShop(dataDir, { isOnboarded: false })
    const gateway = await openBadGateway(url, status)
    try {
      const page = await openDesk(shop.owner, { baseURL: gateway.url })
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith(`/v1/merchant/${shop.key}/stripe`)) asked.push(request.method())
      })
      gateway.fail(`GET /v1/merchant/${shop.key}/stripe`)
      await page.goto('/settings/billing')
      const issue = card(page, 'Payment Account').getByText(
        'There was an issue loading your payment account. Please contact Thirstie Support.',
        { exact: true },
      )
      await expect(issue).toBeVisible()
      expect(asked).toHaveLength(1)
      gateway.mend()
      await card(page, 'Payment Account').getByRole('button', { name: 'Try Again' }).click()
      await expect(page.getByRole('link', { name: 'Set up payments', exact: true })).toBeVisible()
      expect(asked).toHaveLength(2)
    } finally {
      await gateway.remove()
    }
  })

test('BILL-002 BILL-008 BILL-009 BILL-010 BILL-011 BILL-012 BILL-013 BILL-014 BILL-015 BILL-016 BILL-017 BILL-018 ERR-019 GAP-150 a press accepts the terms, and only then does the bank-account form appear; its faults show as toasts, those of the server too', async ({
  openDesk,
  shop,
  cable,
}) => {
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await page.goto('/settings/billing')
  const bank = card(page, 'Bank Account')
  const field = (label: string) => bank.getByLabel(label, { exact: true })
  const save = bank.getByRole('button', { name: 'Save' })
  await expect(field('Routing number')).toBeDisabled()
  await expect(save).toBeDisabled()
  const accept = page.getByRole('button', { name: 'Accept the terms of service' })
  await accept.click()
  await expect(page.getByText('The terms of service are accepted.')).toBeVisible()
  await expect(accept).toHaveCount(0)
  await expect(field('Routing number')).toBeEnabled()
  await page.reload()
  await expect(page.getByText('The terms of service are accepted.')).toBeVisible()
  await expect(field('First name')).toBeEnabled()

  await field('First name').fill('Zoë')
  await save.click()
  await expect(toast(page, 'Please check the mandatory fields')).toBeVisible()
  await expect(bank.getByText('Please enter your last name', { exact: true })).toBeVisible()
  await expect(field('Last name')).toBeFocused()

  for (const [label, value] of Object.entries(form)) await field(label).fill(value)
  await expect(bank.getByText('11 characters left', { exact: true })).toBeVisible()
  await field('Deposit descriptor').fill('x'.repeat(30))
  await expect(field('Deposit descriptor')).toHaveValue('x'.repeat(22))
  await expect(bank.getByText('0 characters left', { exact: true })).toBeVisible()
  for (const label of ['Home state', 'Business state']) {
    await expect(bank.getByLabel(label).getByRole('option')).toHaveCount(52)
    await bank.getByLabel(label).selectOption('New York')
  }

  for (const [label, bad, problem] of [
    ['Email', 'zoe@', 'Please enter a valid email address'],
    ['Phone', '12', 'Please enter a valid phone number'],
    ['Routing number', '02100002', 'Please enter a valid routing number'],
  ] as const) {
    await field(label).fill(bad)
    await save.click()
    await expect(toast(page, `Please check ${label} field`)).toBeVisible()
    await expect(bank.getByText(problem, { exact: true })).toBeVisible()
    await expect(field(label)).toBeFocused()
    await field(label).fill(form[label])
  }

  const doubt = bank.getByText('No bank is known to have this number. Please check it.')
  await expect(doubt).toHaveCount(0)
  await field('Routing number').fill('123456789')
  await expect(doubt).toBeVisible()
  await field('Routing number').fill(form['Routing number'])

  const isSave = (request: Request) => request.method() === 'POST' && request.url().endsWith('/payments')
  const sent = page.waitForRequest(isSave)
  await save.click()
  const body = (await sent).postDataJSON() as {
    business: { tax_id: string }
    funding: Record<string, string>
  }
  expect(body.business.tax_id).toBe('123456789')
  expect(body.funding['account_number']).toBe('000123456789')
  await expect(toast(page, 'Billing information updated successfully!')).toBeVisible()
  await expect(field('Account number')).toHaveValue('*****6789')

  await field('Account number').focus()
  await expect(field('Account number')).toHaveValue('')
  await field('DBA name').fill('Zoë’s')
  await expect(field('Account number')).toHaveValue('*****6789')
  const again = page.waitForRequest(isSave)
  await save.click()
  expect(((await again).postDataJSON() as typeof body).funding).not.toHaveProperty('account_number')
  await expect(save).toBeDisabled()

  // The page's field takes a hundred characters; another client meets the server's own limit.
  await field('DBA name').evaluate((input) => input.removeAttribute('maxlength'))
  await field('DBA name').fill('x'.repeat(201))
  await save.click()
  await expect(toast(page, 'Must have at most 200 characters')).toBeVisible()
  await expect(field('DBA name')).toBeFocused()
  await field('DBA name').fill('Zoë’s cellar')
  cable.cut()
  await save.click()
  await expect(toast(page, "Something went wrong. Billing information wasn't updated.")).toBeVisible()
  await expect(field('DBA name')).toHaveValue('Zoë’s cellar')
})

test('BILL-001 GAP-151 the bank-account form is hidden unless the server’s settings show it', async ({
  page,
}) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const meta = document.querySelector<HTMLMetaElement>('meta[name="cellarhand-config"]')
      if (meta) meta.content = meta.content.replace('"show_legacy_billing":"1"', '"show_legacy_billing":""')
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/settings/billing')
  await expect(page.getByRole('heading', { name: 'Terms of Service' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Bank Account' })).toHaveCount(0)
})
