import { heldPlaces } from '../../server/seed/demo-rules.ts'
import { chooseMore, dialog, expect, openOrders, rowOf, test } from '../desk.ts'
import { selectionBar } from '../orders/selection.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import type { Shop } from '../shop.ts'

/** Sends orders that a rule of the shop holds. */
async function holding(outside: Outside, { url, shop }: { url: string; shop: Shop }) {
  const { bearer } = await signIn(url, shop.owner)
  await outside.decideRule(bearer, { merchant: shop.key, rule: 'US-HOME-STATE' })
  const recipient = { ...heldPlaces[0], first_name: 'Ngozi', last_name: 'Eze', phone_number: '+13075550117' }
  return () => outside.order(shop.key, { recipient } as Parameters<typeof outside.order>[1])
}

test('nothing offers to accept an order that a rule holds: not its review, not a selection, not the new orders of the list', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const send = await holding(outside, { url, shop: ownShop })
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
  await openOrders(page, 'active?method=shipped')
  await expect(acceptNew).toHaveText(/^Accept 2 new/)
  await acceptNew.click()
  await expect(dialog(page, 'Accept Orders')).toContainText('2 orders')
})

test('held orders are counted as they come, and on the row of one the key of Accept decides the next order', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const send = await holding(outside, { url, shop: ownShop })
  const free = await outside.order(ownShop.key)
  const held = await send()
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const looks = page
    .getByRole('group', { name: 'Show', exact: true })
    .getByRole('button', { name: /^Needs a look/ })
  await expect(looks).toHaveText('Needs a look 1')
  await expect(page.getByRole('group', { name: 'Next orders' })).toContainText(`#${free.id}`)
  await rowOf(page, held).getByRole('link').first().focus()
  await page.keyboard.press('a')
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${free.id}`)
  await page.keyboard.press('Escape')
  await send()
  await expect(looks).toHaveText('Needs a look 2')
})
