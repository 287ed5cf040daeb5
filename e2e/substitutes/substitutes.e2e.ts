import { dialog, expect, openOrder, rowOf, test, toast } from '../desk.ts'
import { dialogTakesKeys } from '../fields.ts'
import { linkMailedTo } from '../sign-in/outbox.ts'
import { lineOf, option, stored, update } from '../orders/deciding.ts'

/** Six of a bottle of the demo's own stock list, and the mailbox of its customer. */
const sixBottles = (email: string) => ({
  items: [
    {
      id: 'six',
      name: 'Harbor House Rye',
      quantity: 6,
      price: 30,
      subtotal: 180,
      product: { id: 'p-six', container_size: '750 mL' },
      offering: { id: 'no-longer-listed' },
      beverage_class: 'spirits' as const,
    },
  ],
  transaction: { subtotal: 180, tax: 18, total: 198 },
  customer: { first_name: 'Dee', last_name: 'Nakamura', email, phone_number: null },
})

test('ACT-018 a clerk offers a substitute from Out of Stock, and the customer chooses it on a page without script', async ({
  page,
  outside,
  browser,
  url,
}) => {
  const email = `rye-${Date.now()}@example.com`
  const order = await outside.order('demo', sixBottles(email))
  await openOrder(page, order)
  await option(page, 'Harbor House Rye', 'Out of stock').click()
  const stock = dialog(page, 'Out of Stock')
  await stock.getByLabel('How many are there?').fill('4')
  await stock.getByLabel('Then offer the customer another bottle').check()
  await update(stock).click()

  const offer = dialog(page, 'Offer a Substitute')
  await expect(offer.getByText('Missing: 2 × Harbor House Rye')).toBeVisible()
  await dialogTakesKeys(page)
  const bottles = offer.getByRole('group', { name: /^Bottles to offer/ })
  const first = bottles.getByRole('checkbox').first()
  await first.check()
  // The chosen ones stay on top, for any search.
  await offer.getByLabel('Find a bottle').fill('zzz')
  await expect(bottles.getByRole('checkbox')).toHaveCount(1)
  await expect(offer.getByText(`Mail to ${email}`)).toBeVisible()
  await offer.getByRole('button', { name: 'ASK CUSTOMER' }).click()
  await expect(toast(page, 'Asked the customer')).toBeVisible()
  const { substitutes } = await stored(outside, order)
  const [asked] = substitutes?.offers ?? []
  const name = asked?.offered[0]?.line.name ?? ''
  await expect(lineOf(page, 'Harbor House Rye').first()).toContainText(
    new RegExp(`Offered .+; the customer has until \\d+:\\d\\d [AP]M`),
  )
  await expect(
    lineOf(page, 'Harbor House Rye').first().getByRole('button', { name: 'Offer substitute' }),
  ).toHaveCount(0)

  const phone = await browser.newContext({
    baseURL: url,
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  })
  const customer = await phone.newPage()
  await customer.goto(await linkMailedTo(outside, email))
  await customer.getByRole('radio', { name: new RegExp(`^2 × ${name.replaceAll(/[^\w ]/g, '.')}`) }).check()
  await customer.getByRole('button', { name: 'Send my answer' }).click()
  await expect(customer.getByRole('heading', { name: 'Thank you, we have your answer' })).toBeVisible()
  await phone.close()

  // The clerk sees it without a press.
  await expect(lineOf(page, 'Harbor House Rye').first()).toContainText(`The customer takes 2 × ${name}`)
  await expect(page.getByText(/^Agreed total \$/)).toBeVisible()
  await page.goto('/orders/on-hold')
  await expect(rowOf(page, order)).toContainText('The customer takes')
})

test('a clerk takes the question back, and may ask again', async ({ page, outside }) => {
  const email = `back-${Date.now()}@example.com`
  const order = await outside.order('demo', sixBottles(email))
  await openOrder(page, order)
  await option(page, 'Harbor House Rye', 'Out of stock').click()
  await update(dialog(page, 'Out of Stock')).click()
  const line = lineOf(page, 'Harbor House Rye').first()
  await line.getByRole('button', { name: 'Offer substitute' }).click()
  const offer = dialog(page, 'Offer a Substitute')
  await dialogTakesKeys(page)
  await offer.getByRole('button', { name: 'ASK CUSTOMER' }).click()
  await expect(offer.getByText('Choose at least one bottle.')).toBeVisible()
  const boxes = offer.getByRole('group', { name: /^Bottles to offer/ }).getByRole('checkbox')
  await boxes.nth(1).check()
  await boxes.nth(1).check()
  await expect(offer.getByText('Two are chosen.')).toBeVisible()
  await expect(boxes.nth(2)).toBeDisabled()
  await offer.getByRole('button', { name: 'ASK CUSTOMER' }).click()
  await expect(offer).toHaveCount(0)
  await line.getByRole('button', { name: 'Withdraw offer' }).focus()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Withdrew the offer')).toBeVisible()
  // The pressed button is gone: the keys are with the one in its place.
  await expect(line.getByRole('button', { name: 'Offer substitute' })).toBeFocused()
  expect((await stored(outside, order)).substitutes?.offers).toMatchObject([{ state: 'withdrawn' }])
})
