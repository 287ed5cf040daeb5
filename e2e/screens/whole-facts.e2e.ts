import type { Page } from '@playwright/test'
import { expect, openOrders, rowOf, test } from '../desk.ts'
import { resize } from '../page-time.ts'
import { selectionBar } from '../orders/selection.ts'
import { overhangOf } from './axe.ts'

const recipient = {
  first_name: 'Barnaby',
  last_name: 'Nakagawa',
  street_1: '1 Long Street',
  city: 'Los Angeles',
  state: 'CA',
  zipcode: '90012',
  phone_number: '2135550123',
}

/** The texts of a row or a card that are wider than their place, dots or not. */
function cutIn(page: Page, place: string): Promise<string[]> {
  return page.locator(place).evaluateAll((parts) =>
    parts
      .filter((part) => part.checkVisibility())
      .filter((part) => {
        const text = document.createRange()
        text.selectNodeContents(part)
        const { right } = text.getBoundingClientRect()
        return right > part.getBoundingClientRect().right + 1 || part.scrollWidth > part.clientWidth + 1
      })
      .map((part) => part.textContent),
  )
}

test('LIST-005 LIST-006 a name of fifteen letters and a moment keep their places in a row from 834 px on, and no fact reaches into the next', async ({
  openDesk,
  outside,
  ownShop: shop,
}) => {
  const order = await outside.order(shop.key, { recipient })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await expect(rowOf(page, order)).toBeVisible()
  for (const width of [1920, 1440, 1381, 1380, 1280, 1240, 1205, 1180, 1101, 1100, 1060, 1024, 960, 834]) {
    await resize(page, { width, height: 900 })
    await expect
      .poll(() => cutIn(page, 'tbody [role=row] td, tbody tr:has(td + td) td, td > span:has(+ span)'), {
        message: `${width}`,
      })
      .toEqual([])
  }
})

test('SEARCH-007 a hit shows its total whole beside a rule’s word, from the narrowest phone to the widest screen', async ({
  openDesk,
  outside,
  ownShop: shop,
}) => {
  await outside.order(shop.key, {
    delivery: { method: 'on_demand' },
    items: [{ id: 'a', name: 'Rye', quantity: 1, price: 1_299.5, subtotal: 1_299.5 }],
    transaction: { subtotal: 1_299.5, total: 1_299.5 },
  })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  for (const width of [320, 390, 1440]) {
    await resize(page, { width, height: 800 })
    await page.getByRole('combobox', { name: 'Customer Name' }).fill('')
    await page.getByRole('combobox', { name: 'Customer Name' }).fill('Nakamura')
    const hit = page.getByRole('option').first()
    await expect(hit).toContainText('ID check at the door')
    const panel = page.getByRole('listbox').locator('..')
    const edge = (await panel.boundingBox()) ?? { x: 0, width: 0 }
    const total = (await hit.getByText('$1,299.50').first().boundingBox()) ?? { x: 0, width: 0 }
    expect([width, total.x + total.width < edge.x + edge.width]).toEqual([width, true])
    expect([width, await panel.evaluate((box) => box.scrollWidth - box.clientWidth)]).toEqual([width, 0])
  }
})

test('LIST-025 on a phone the bar of a selection is two rows high, and a finger scrolls through its actions', async ({
  openDesk,
  outside,
  ownShop: shop,
}) => {
  const order = await outside.order(shop.key)
  const page = await openDesk(shop.owner, { viewport: { width: 320, height: 640 }, hasTouch: true })
  await openOrders(page)
  for (const width of [320, 390]) {
    await resize(page, { width, height: 640 })
    await page.getByRole('checkbox', { name: `Select #${order.id}` }).tap()
    const bar = selectionBar(page)
    await expect(bar).toContainText('1 selected')
    expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(112)
    const [accept, last] = [
      bar.getByRole('button', { name: 'Accept 1' }),
      bar.getByRole('button', { name: 'I take' }),
    ]
    await expect(accept).toBeInViewport({ ratio: 1 })
    expect(await overhangOf(page)).toBe(0)
    await last.scrollIntoViewIfNeeded()
    await expect(last).toBeInViewport({ ratio: 1 })
    await expect(bar.getByRole('button', { name: 'Clear selection' })).toBeInViewport({ ratio: 1 })
    await bar.getByRole('button', { name: 'Clear selection' }).tap()
  }
})

test('LIST-019 a chosen filter leaves the class chips of a phone their room', async ({
  openDesk,
  outside,
  ownShop: shop,
}) => {
  await outside.order(shop.key, { delivery: { method: 'on_demand' } })
  const page = await openDesk(shop.owner, { viewport: { width: 320, height: 640 } })
  await page.goto('/orders/active?method=on_demand')
  for (const width of [320, 390]) {
    await resize(page, { width, height: 640 })
    await expect(page.getByRole('button', { name: 'Clear all' })).toBeVisible()
    const chips = page.getByRole('group', { name: 'Show' })
    await expect(chips).toBeVisible()
    expect((await chips.boundingBox())?.width).toBeGreaterThan(width / 2)
  }
})
