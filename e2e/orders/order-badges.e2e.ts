import { expect, openOrders, rowOf, test } from '../desk.ts'
import { signIn } from '../people.ts'

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}

test('LIST-026 the SLA badge says how much time is left or how late it is', async ({
  openDesk,
  outside,
  ownShop: shop,
}) => {
  const method = { delivery: { method: 'on_demand' } }
  const [fresh, soon, late] = [
    await outside.order(shop.key, { ...method, date_submitted: hoursAgo(0.2) }),
    await outside.order(shop.key, { ...method, date_submitted: hoursAgo(1.7) }),
    await outside.order(shop.key, { ...method, date_submitted: hoursAgo(3.2) }),
  ]
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await expect(rowOf(page, fresh)).toContainText(/1 h \d+ min left/)
  await expect(rowOf(page, soon)).toContainText(/1\d min left/)
  await expect(rowOf(page, late)).toContainText(/1 h \d+ min late/)
  const looks = await Promise.all(
    [fresh, soon, late].map((order) =>
      rowOf(page, order)
        .getByTitle(/^Due /)
        .evaluate((badge) => getComputedStyle(badge).color),
    ),
  )
  expect(new Set(looks).size).toBe(3)
})

test('LIST-026 a presale that has to wait shows its first shipping day, and an order on its way says so', async ({
  openDesk,
  outside,
  ownShop: shop,
  url,
}) => {
  const { bearer } = await signIn(url, shop.owner)
  const day = (daysFromNow: number) =>
    new Date(Date.now() + daysFromNow * 86_400_000).toISOString().slice(0, 10)
  const [availableAt, readyAt] = [day(40), day(30)]
  const presale = await outside.order(shop.key, {
    delivery: { method: 'preorder' },
    date_submitted: hoursAgo(24 * 9),
    items: [
      {
        id: 'a',
        name: 'Vintage Port',
        quantity: 1,
        price: 80,
        subtotal: 80,
        aux_data: { preorder_available_date: availableAt },
      },
    ],
    transaction: { subtotal: 80, total: 80 },
  })
  const local = await outside.order(shop.key, {
    delivery: { method: 'on_demand' },
    date_submitted: hoursAgo(4),
  })
  await outside.update(bearer, local, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, local, { status: 'MERCHANT_SHIPPED' })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  const [year = '', month = '', date = ''] = readyAt.split('-')
  await expect(rowOf(page, presale)).toContainText(`From ${month}.${date}.${year}`)
  await expect(rowOf(page, local)).toContainText('Out for delivery')
  for (const order of [presale, local]) await expect(rowOf(page, order)).not.toContainText(/late|left/)
})
