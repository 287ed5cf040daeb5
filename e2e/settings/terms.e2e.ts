import { expect, test } from '../desk.ts'

const facts = [
  /in under two hours of receipt/,
  /to the carrier within one business day/,
  /legal age is 21\. It is checked by ID on delivery/,
  /valid ID is missing or the recipient is under 21, a restocking fee of \$20 applies\. For mail orders the carrier’s charges are added/,
  /no delivery or handling fees\. Third-party courier costs that were reported are the one exception/,
  /aggregate liability is capped at \$10,000/,
  /merchant may terminate on 30 days’ written notice\. Thirstie may terminate on written notice/,
  /governed by the law of New York/,
  /Before November 15, 2023 the payment provider named .* was required\. From that date on another payment provider may be required/,
]

test.describe('without a session', () => {
  test.use({ person: null })

  test('ROUTE-028 TERMS-001 TERMS-002 TERMS-003 TERMS-004 TERMS-005 TERMS-006 TERMS-007 TERMS-008 TERMS-009 TERMS-010 TERMS-011 anybody reads the terms in another tab and prints the text alone, while the sign-up page keeps what was typed', async ({
    page,
    context,
  }) => {
    await page.goto('/signup')
    await page.getByLabel('First name').fill('Nora')
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: /Read the terms/ }).click()
    const terms = await opened
    await expect(terms).toHaveURL(/\/terms$/)
    const title = terms.getByRole('heading', { level: 1, name: 'Merchant Terms and Conditions' })
    await expect(title).toBeVisible()
    await expect(terms.getByText('October 30th, 2023', { exact: true })).toBeVisible()
    for (const fact of facts) await expect(terms.getByText(fact)).toBeVisible()
    const lines = await terms.getByRole('article').getByRole('paragraph').allInnerTexts()
    expect(lines.at(-1)).toBe('By logging in the merchant agrees to be bound by these terms.')
    await expect(terms.getByRole('button', { name: 'Settings' })).toHaveCount(0)
    await expect(terms.getByRole('button', { name: 'Print' })).toBeVisible()
    await terms.emulateMedia({ media: 'print' })
    await expect(title).toBeVisible()
    await expect(terms.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(page.getByLabel('First name')).toHaveValue('Nora')
  })
})

test.describe('with a session', () => {
  test.use({ person: 'member@demo.test' })

  test('ROUTE-018 ROUTE-019 SHELL-009 SHELL-010 the reports are coming; the footer names the company and leads to the terms, in the same frame', async ({
    page,
  }) => {
    await page.goto('/reports')
    await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
    await expect(page.getByRole('main')).toHaveText(/^Reports\s*Coming Soon\.\.\.$/)
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByText(`© ${new Date().getFullYear()} Thirstie`)).toBeVisible()
    await footer.getByRole('link', { name: 'Terms of Service' }).click()
    await expect(page).toHaveURL(/\/terms$/)
    await expect(page.getByRole('heading', { name: 'Merchant Terms and Conditions' })).toBeVisible()
    await expect(page.getByRole('banner').getByText('Harbor Wine & Spirits')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('banner').getByText('Harbor Wine & Spirits')).toBeVisible()
  })
})
