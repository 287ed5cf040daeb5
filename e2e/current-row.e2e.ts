import type { Page } from '@playwright/test'
import { expect, rowOf, test } from './desk.ts'
import { openNewOrders } from './orders/selection.ts'

const focusedRow = (page: Page) => page.getByRole('row').filter({ has: page.locator(':focus') })

test('the row that a key acts on is marked, also while the focus is elsewhere, and is scrolled to', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page } = await openNewOrders({ openDesk, outside, dataDir }, 14)
  const [first] = orders
  if (first === undefined) throw new Error('no orders')
  await page.setViewportSize({ width: 1440, height: 480 })
  await page.keyboard.press('j')
  const row = rowOf(page, first)
  await expect(row.getByRole('link').first()).toBeFocused()
  await expect(row).toHaveAttribute('data-current')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await expect(row).toHaveAttribute('data-current')
  await page.locator('[data-scroll-restoration-id]').evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await expect(row).not.toBeInViewport()
  await page.keyboard.press('x')
  await expect(row).toBeInViewport()
  await expect(row.getByRole('checkbox')).toBeChecked()
})

test('when the current order leaves the list, the keys go on with the one that took its place', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page } = await openNewOrders({ openDesk, outside, dataDir }, 4)
  const [, second, third, fourth] = orders
  if (!second || !third || !fourth) throw new Error('no orders')
  const leave = (order: (typeof orders)[number]) => outside.tell(order, { status: 'CANCELLED' })
  for (const _ of [1, 2]) await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(second.id)
  await leave(second)
  await expect(focusedRow(page)).toContainText(third.id)
  // The focus stays where the clerk has put it, and `j` still goes on from the row's place.
  await page.getByRole('button', { name: 'Settings' }).focus()
  await leave(third)
  await expect(rowOf(page, third)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Settings' })).toBeFocused()
  await page.keyboard.press('j')
  await expect(focusedRow(page)).toContainText(fourth.id)
})

test('the focus follows the keys late on a busy machine, and takes no later key to another row', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page } = await openNewOrders({ openDesk, outside, dataDir }, 2)
  await page.evaluate(() => {
    const late: FrameRequestCallback[] = []
    window.requestAnimationFrame = (draw) => late.push(draw)
    // The frame of the first key comes after the third.
    addEventListener('keydown', () => late.splice(0, late.length - 2).forEach((draw) => draw(0)))
  })
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  for (const order of orders) await expect(rowOf(page, order).getByRole('checkbox')).toBeChecked()
})

test('a row whose focus comes late takes it from no field that the clerk went to meanwhile', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { page } = await openNewOrders({ openDesk, outside, dataDir }, 2)
  await page.evaluate(() => {
    const late: FrameRequestCallback[] = []
    window.requestAnimationFrame = (draw) => late.push(draw)
    addEventListener('keyup', ({ key }) => key === 'Shift' && late.splice(0).forEach((draw) => draw(0)))
  })
  const field = page.getByRole('combobox', { name: 'Customer Name' })
  for (const key of ['j', 'n', 'Shift']) await page.keyboard.press(key)
  await page.keyboard.type('ada')
  await expect(field).toHaveValue('ada')
})
