import { openDatabase } from './database.ts'
import { expect, openOrder, openOrders, test } from './desk.ts'
import { signIn } from './people.ts'

test('the store’s whole name stands in the header from 320 pixels on, and its title says it', async ({
  openDesk,
  outside,
  dataDir,
  ownShop,
}) => {
  const name = 'Missing Piece Wine & Spirits of Elmhurst'
  const database = await openDatabase(dataDir)
  await database.query('update merchants set name = $2 where merchant_id = $1', [ownShop.key, name])
  await database.end()
  await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { viewport: { width: 320, height: 640 } })
  await openOrders(page)
  await expect(page.getByRole('button', { name: 'Got it' })).toBeVisible()
  const store = page.getByRole('banner').getByTitle(name)
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 640 })
    const isWhole = await store.getByText(name).evaluate((element) => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
      return scrollWidth <= clientWidth && scrollHeight <= clientHeight
    })
    const wider = await page.evaluate(() =>
      [...document.querySelectorAll('header *')]
        .filter((each) => each.getBoundingClientRect().right > innerWidth)
        .map((each) => each.outerHTML.slice(0, 90)),
    )
    expect([width, isWhole, wider]).toEqual([width, true, []])
  }
})

test('the header names the key of the commands, and a press opens them', async ({ page }) => {
  await openOrders(page)
  await page.getByRole('banner').getByRole('button', { name: 'Commands Ctrl K' }).click()
  await expect(page.getByRole('combobox', { name: 'Command, page or order number' })).toBeFocused()
})

test('the two hours of an on-demand order are no news once it is finished', async ({
  page,
  outside,
  url,
}) => {
  const notice = page.getByText('On demand: please deliver within 2 hours of submission.')
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await openOrder(page, order)
  await expect(notice).toBeVisible()
  for (const status of ['MERCHANT_ACCEPTED', 'MERCHANT_SHIPPED'])
    await outside.update(bearer, order, { status })
  await expect(page.getByRole('button', { name: 'Mark Delivered' }).first()).toBeVisible()
  await expect(notice).toBeVisible()
  await outside.tell(order, { status: 'CANCELLED' })
  await expect(notice).toHaveCount(0)
})
