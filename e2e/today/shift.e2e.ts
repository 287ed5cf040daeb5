import { onDemand } from '../../server/test/orders.ts'
import { expect, test } from '../desk.ts'
import { violationsOf } from '../screens/axe.ts'

test('the hand-over of a shift names what is late and who has it, with links, and prints its notes', async ({
  openDesk,
  ownShop,
  outside,
}) => {
  const submitted = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const late = await outside.order(ownShop.key, { ...onDemand, date_submitted: submitted })
  const page = await openDesk(ownShop.owner)
  await page.goto(`/orders/view/${late.id}`)
  await page.getByRole('button', { name: 'I take it' }).click()
  await page.goto('/today')
  await page.getByRole('link', { name: 'Shift hand-over' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shift hand-over' })).toBeVisible()
  const part = page.getByRole('region', { name: /^Late/ })
  await expect(part.getByRole('row').nth(1)).toContainText(`#${late.id}`)
  await expect(part.getByRole('row').nth(1)).toContainText('Ada Marsh')
  await expect(page.getByRole('region', { name: 'Who has what' })).toContainText('Ada Marsh, 1')
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('No problems.')
  expect(await violationsOf(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add note' })).toBeHidden()
  await expect(part).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await part.getByRole('link', { name: 'In the list' }).click()
  await expect(page).toHaveURL(/\/orders\/active\?due=late$/)
})
