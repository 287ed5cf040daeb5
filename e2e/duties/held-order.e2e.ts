import { heldPlaces } from '../../server/seed/demo-rules.ts'
import { chooseMore, dialog, expect, openOrders, rowOf, test } from '../desk.ts'
import { selectionBar } from '../orders/selection.ts'
import { signIn } from '../people.ts'

test('nothing offers to accept an order that a rule holds: not its review, not a selection, not the new orders of the list', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.decideRule(bearer, { merchant: ownShop.key, rule: 'US-HOME-STATE' })
  const recipient = { ...heldPlaces[0], first_name: 'Ngozi', last_name: 'Eze', phone_number: '+13075550117' }
  const send = () => outside.order(ownShop.key, { recipient } as Parameters<typeof outside.order>[1])
  const [held, other] = [await send(), await send()]
  const page = await openDesk(ownShop.owner)
  const acceptNew = page.getByRole('button', { name: /^Accept \d+ new/ })
  await openOrders(page)
  await expect(rowOf(page, held).getByRole('link', { name: 'See why' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print 2 slips' })).toBeVisible()
  await expect(acceptNew).toHaveCount(0)

  await chooseMore(page, held, 'Review Order')
  const review = dialog(page, 'Review Order')
  await expect(review.getByRole('button', { name: 'REJECT', exact: true })).toBeVisible()
  await expect(review.getByRole('button', { name: 'ACCEPT', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.getByRole('checkbox', { name: `Select #${held.id}` }).click()
  await page.getByRole('checkbox', { name: `Select #${other.id}` }).click()
  await expect(selectionBar(page)).toContainText('2 selected')
  await expect(selectionBar(page).getByRole('button', { name: /^Accept/ })).toHaveCount(0)
  const free = await outside.order(ownShop.key)
  await page.reload()
  await page.getByRole('checkbox', { name: `Select #${free.id}` }).click()
  await expect(selectionBar(page).getByRole('button', { name: /^Accept 1/ })).toBeVisible()
  for (const { id } of [held, other, free])
    await page.getByRole('checkbox', { name: `Select #${id}` }).click()

  await outside.order(ownShop.key)
  await expect(acceptNew).toHaveText(/^Accept 2 new/)
  await acceptNew.click()
  await expect(dialog(page, 'Accept Orders')).toContainText('2 orders')
})
