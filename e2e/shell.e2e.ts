import { dialog, expect, openOrders, test, toast } from './desk.ts'

test('SHELL-008 Escape closes the Settings dropdown', async ({ page }) => {
  await openOrders(page)
  const settings = page.getByRole('button', { name: 'Settings' })
  for (let opened = 0; opened < 2; opened++) {
    await settings.click()
    await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(settings).toBeFocused()
  }
})

test('SHELL-009 logged-in pages have a footer with a copyright notice', async ({ page }) => {
  for (const path of ['/orders/active', '/no/such/page']) {
    await page.goto(path)
    await expect(page.getByRole('contentinfo')).toContainText(/© \d{4} Thirstie/)
  }
})

test('SHELL-011 CONST-001 the layout turns to mobile at 1100 px', async ({ page }) => {
  await page.setViewportSize({ width: 1101, height: 800 })
  await openOrders(page)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible()
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
})

test('CONST-002 the orders are cards from 780 px down', async ({ page }) => {
  await page.setViewportSize({ width: 781, height: 800 })
  await openOrders(page)
  await expect(page.getByRole('table', { name: 'Active orders' })).toBeVisible()
  await page.setViewportSize({ width: 780, height: 800 })
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Orders' }).getByRole('listitem').first()).toBeVisible()
})

test('a message goes when it is dismissed, and otherwise by itself', async ({ page, outside }) => {
  for (const isDismissed of [true, false]) {
    const order = await outside.order('demo')
    await page.goto(`/orders/view/${order.id}`)
    await page.getByRole('button', { name: 'Reject' }).first().click()
    await dialog(page, 'Reject Order').getByRole('button', { name: 'REJECT', exact: true }).click()
    const message = toast(page, 'Order was updated successfully!')
    await expect(message).toBeVisible()
    if (isDismissed) await page.getByRole('button', { name: 'Dismiss message' }).click()
    await expect(message).toHaveCount(0, { timeout: 20_000 })
  }
})

test('the chosen colours and rows are kept, and a shortcut does nothing in a field', async ({ page }) => {
  await openOrders(page)
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect.poll(ground).not.toBe(light)
  const dark = await ground()
  await page.reload()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(await ground()).toBe(dark)
  await page.keyboard.press('?')
  await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('?')
  await expect(page.getByRole('combobox', { name: 'Order #' })).toHaveValue('?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
