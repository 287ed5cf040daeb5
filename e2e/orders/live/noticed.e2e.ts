import type { Page } from '@playwright/test'
import { expect, openOrders, test } from '../../desk.ts'
import { overhangOf } from '../../screens/axe.ts'

const unnoticed = (page: Page, words: string | RegExp) =>
  page.getByRole('banner').getByText(words, { exact: true })

test('the alarm of many new orders ends for those alone that the press has put before somebody’s eyes', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const other = await openDesk(ownShop.owner)
  await openOrders(other)
  // Two more than the list fetches at once.
  const orders = []
  for (let n = 0; n < 32; n++) orders.push(await outside.order(ownShop.key))
  const till = await openDesk(ownShop.owner)
  await till.goto('/settings/profile')
  await expect(unnoticed(till, '32 not seen yet')).toBeVisible()
  await till.getByRole('button', { name: 'See them' }).click()
  await expect(till).toHaveURL(/\/orders\/active\?sort=desc$/)
  for (const desk of [till, other]) await expect(unnoticed(desk, '2 not seen yet')).toBeVisible()
  const [oldest, next] = orders
  await till.getByRole('button', { name: 'See them' }).click()
  await expect(till).toHaveURL(new RegExp(`/orders/view/${oldest?.id}$`))
  for (const desk of [till, other])
    await expect(unnoticed(desk, '1 not seen yet')).toHaveAttribute('href', `/orders/view/${next?.id}`)
  await till.getByRole('button', { name: 'Got it' }).click()
  for (const desk of [till, other]) await expect(unnoticed(desk, /not seen yet/)).toHaveCount(0)
})

test('alarms noticed during a broken connection count for all after the reconnect', async ({
  openDesk,
  outside,
  ownShop: shop,
  cable,
}) => {
  const [till, other] = [await openDesk(shop.owner, { baseURL: cable.url }), await openDesk(shop.owner)]
  await openOrders(till)
  await openOrders(other)
  await outside.order(shop.key)
  const cancelled = await outside.order(shop.key)
  await outside.tell(cancelled, { status: 'CANCELLED' })
  const words = [`#${cancelled.id} cancelled`, '1 not seen yet']
  for (const each of words) await expect(unnoticed(till, each)).toBeVisible()
  cable.cut()
  // One after the other: the second leaves the first noticed.
  for (const each of words) {
    await till.getByRole('button', { name: 'Got it' }).click()
    await expect(unnoticed(till, each)).toHaveCount(0)
  }
  for (const each of words) await expect(unnoticed(other, each)).toBeVisible()
  cable.mend()
  for (const each of words) await expect(unnoticed(other, each)).toHaveCount(0)
  for (const each of words) await expect(unnoticed(till, each)).toHaveCount(0)
})

test('on the narrowest phone cancelled and new orders are named together, within the window and large enough for a finger', async ({
  openDesk,
  outside,
  ownShop: shop,
}) => {
  const phone = await openDesk(shop.owner, { viewport: { width: 320, height: 568 }, hasTouch: true })
  await openOrders(phone)
  for (let i = 0; i < 4; i++) {
    const order = await outside.order(shop.key)
    if (i % 2 === 0) await outside.tell(order, { status: 'CANCELLED' })
  }
  const banner = phone.getByRole('banner')
  const parts = [
    banner.getByRole('link', { name: /^#\d+ cancelled$/ }),
    unnoticed(phone, '1 more'),
    unnoticed(phone, '2 not seen yet'),
    banner.getByRole('button', { name: 'Got it' }),
  ]
  for (const part of parts) {
    await expect(part).toBeInViewport({ ratio: 1 })
    expect((await part.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  expect(await overhangOf(phone)).toBe(0)
})
