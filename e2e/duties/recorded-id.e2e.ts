import { dialog, expect, openOrder, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'

const toVirginia = {
  first_name: 'Dee',
  last_name: 'Nakamura',
  street_1: '9 Door Street',
  city: 'Richmond',
  state: 'VA',
  zipcode: '23219',
  phone_number: '+18045550117',
}

test('where a rule makes the driver record the ID, MARK DELIVERED asks for it; nothing of it shows on the order', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.decideRule(bearer, { merchant: ownShop.key, rule: 'VA-AGE' })
  const order = await outside.order(ownShop.key, {
    delivery: { method: 'on_demand' },
    courier_estimate_id: 'est-1',
    recipient: toVirginia,
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Mark Delivered' }).first().click()
  const deliver = dialog(page, 'Deliver Order')
  await deliver.getByRole('button', { name: 'Now' }).click()
  await expect(deliver.getByLabel('Name on the ID')).toHaveCount(0)
  await deliver.getByRole('button', { name: "Driver's license" }).click()
  await expect(deliver.getByRole('group', { name: 'A rule asks to record' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(deliver.getByText('Please fill this in')).toHaveCount(3)
  await expect(deliver.getByLabel('Name on the ID')).toBeFocused()
  await deliver.getByLabel('Name on the ID').fill('Dee Nakamura-Long')
  await deliver.getByLabel('Birth date').fill('1971-04-01')
  await deliver.getByLabel('Address on the ID').fill('77 Card Lane')
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(deliver).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Progress' }).getByRole('listitem').last()).toHaveText(
    /^Delivered, ID checked \d/,
  )
  // With all of it recorded, the order needs no look, and no page has it.
  await expect(page.getByRole('region', { name: 'What this order needs' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('ID checked', { exact: true }).first()).toBeVisible()
  await expect(page.getByText(/Nakamura-Long|(?<!\d)1971|77 Card/)).toHaveCount(0)
})
