import { dialog, expect, openOrders, test } from '../desk.ts'
import { openShop } from '../shop.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test('CONST-002 LIST-014 LIST-020 LIST-021 on a phone the list shows cards with the likeliest actions, selection and sort, and keeps its place', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  for (let minutes = 40; minutes > 0; minutes--)
    await outside.order(shop.key, { date_submitted: new Date(Date.now() - minutes * 60_000).toISOString() })
  // Due first, and the newest.
  const order = await outside.order(shop.key, { delivery: { method: 'on_demand' } })
  const page = await openDesk(shop.owner, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await openOrders(page)
  await expect(page.getByRole('table')).toHaveCount(0)
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: `#${order.id}`, exact: true }) })
  for (const text of ['Dee Nakamura', 'On Demand', 'New', 'left', `$${order.transaction.total.toFixed(2)}`])
    await expect(card).toContainText(text)
  await expect(card).toHaveAttribute('aria-setsize', '41')
  await card.getByRole('button', { name: `Accept #${order.id}` }).tap()
  await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const buttons = await card.getByRole('button').all()
  expect(buttons.length).toBeGreaterThan(1)
  for (const button of buttons) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(40)

  await card.getByRole('checkbox', { name: `Select #${order.id}` }).tap()
  await expect(page.getByRole('region', { name: /selected/i }).or(page.getByText('1 selected'))).toBeVisible()
  await card.getByRole('checkbox', { name: `Select #${order.id}` }).tap()
  await page.getByRole('button', { name: 'Filters and sort' }).tap()
  await page.getByRole('button', { name: 'Due first, sort by Created' }).tap()
  await page.getByRole('button', { name: 'Created, descending' }).tap()
  await expect(page).toHaveURL(/sort=asc/)
  await expect(page.getByRole('listitem').first()).not.toContainText(`#${order.id}`)
  await page.getByRole('button', { name: 'Created, ascending' }).tap()
  // The key means the rows in sight, so the other order's rows have to have come.
  await expect(page.getByRole('listitem').first()).toContainText(`#${order.id}`)
  await page.keyboard.press('k')
  await expect(page.getByRole('link', { name: `#${order.id}`, exact: true })).toBeFocused()

  await expect(async () => {
    await page.evaluate(() => scrollBy(0, 1_500))
    await expect(page.getByText('End of Page', { exact: true })).toBeInViewport({ timeout: 200 })
  }).toPass()
  const last = page.getByRole('listitem').getByRole('link').last()
  const number = await last.innerText()
  await last.tap()
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: number, exact: true })).toBeInViewport()

  await outside.tell(order, { status: 'CANCELLED' })
  await page.goto('/orders/cancelled')
  await expect(card).toContainText('Rejected')
  await expect(card.getByRole('button')).toHaveCount(0)
})
