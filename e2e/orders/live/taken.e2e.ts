import type { Page } from '@playwright/test'
import { expect, openOrder, openOrders, rowOf, test } from '../../desk.ts'
import { violationsOf } from '../../screens/axe.ts'
import { runUntil, stopTime } from '../../page-time.ts'
import { addColleague } from '../../shop.ts'

const hostile = '<b>Theo</b> "O\'Vance"'

const holder = (page: Page) => page.getByRole('group', { name: 'Who has it' })
const live = (page: Page) =>
  expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
const mine = (page: Page) =>
  page.getByRole('group', { name: 'Show', exact: true }).getByRole('button', { name: 'Mine' })

test('a clerk takes an order, both lists say so at once, and a colleague takes it over after a question', async ({
  openDesk,
  ownShop,
  outside,
  dataDir,
}) => {
  const email = await addColleague(dataDir, ownShop, hostile)
  const order = await outside.order(ownShop.key)
  const ada = await openDesk(ownShop.owner)
  const theo = await openDesk(email, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await openOrders(ada)
  await openOrder(theo, order)
  await live(ada)
  await live(theo)
  await holder(theo).getByRole('button', { name: 'I take it' }).tap()
  await expect(holder(theo)).toContainText('You have it since')
  await theo.goto('/today')
  await expect(rowOf(ada, order)).toContainText(`${hostile} Vance has it`)
  await expect(mine(ada)).toHaveCount(0)
  await openOrder(theo, order)
  await live(theo)

  await openOrder(ada, order)
  await expect(holder(ada)).toContainText(`${hostile} Vance has it since`)
  await ada.keyboard.press('m')
  await expect(holder(ada)).toContainText('Take it over?')
  expect(await violationsOf(ada)).toEqual([])
  await holder(ada).getByRole('button', { name: 'Leave it' }).click()
  await expect(holder(ada).getByRole('button', { name: 'Take over' })).toBeFocused()
  await expect(holder(theo)).toContainText('You have it since')
  const over = holder(ada).getByRole('button', { name: 'Take over' })
  await over.click()
  await expect(over).toBeFocused()
  await expect(over).toBeEnabled()
  await ada.keyboard.press('Enter')
  for (const [page, words] of [
    [ada, 'You have it since'],
    [theo, 'Ada Marsh has it since'],
  ] as const)
    await expect(holder(page)).toContainText(words)
  await expect(holder(ada).getByRole('button', { name: 'Let go' })).toBeFocused()
  await expect(ada.getByText(/Taken over from/)).toBeVisible()

  // It keeps nobody from deciding.
  await theo.getByRole('button', { name: 'Accept' }).first().tap()
  await theo.getByRole('dialog').getByRole('button', { name: 'ACCEPT', exact: true }).tap()
  // A page that changes under a press may take it from its button.
  for (const page of [ada, theo]) await expect(page.getByText('Accepted').first()).toBeVisible()
  await expect(holder(theo)).toContainText('Ada Marsh has it since')
  await holder(ada).getByRole('button', { name: 'Let go' }).click()
  for (const page of [ada, theo])
    await expect(holder(page).getByRole('button', { name: 'I take it' })).toBeVisible()
})

test('keys take the marked row and the selection, Mine lists them, and the next order is not a colleague’s', async ({
  openDesk,
  ownShop,
  outside,
  dataDir,
}) => {
  const email = await addColleague(dataDir, ownShop, hostile)
  const send = () => outside.order(ownShop.key)
  const [first, second, third] = [await send(), await send(), await send()]
  const ada = await openDesk(ownShop.owner)
  const theo = await openDesk(email)
  for (const page of [ada, theo]) {
    await openOrders(page)
    await live(page)
  }
  await ada.keyboard.press('j')
  await ada.keyboard.press('m')
  await expect(rowOf(ada, first)).toContainText('You have it')
  await expect(rowOf(theo, first)).toContainText('Ada Marsh has it')
  const next = theo.getByRole('group', { name: 'Next orders' })
  await expect(next).toContainText(`#${second.id}`)
  await expect(ada.getByRole('group', { name: 'Next orders' })).toContainText(`#${first.id}`)

  // A key for Today takes nothing.
  await theo.keyboard.press('j')
  await theo.keyboard.press('m')
  await expect(theo.getByText(`Ada Marsh has #${first.id} since`)).toBeVisible()
  await theo.getByRole('button', { name: 'Take over' }).click()
  await expect(rowOf(ada, first)).toContainText('has it')
  await expect(rowOf(ada, first)).not.toContainText('You have it')

  for (const order of [first, second, third]) await rowOf(ada, order).getByRole('checkbox').check()
  // The key comes with the bar of the selection.
  await expect(ada.getByRole('button', { name: 'I take them' })).toBeVisible()
  await ada.keyboard.press('m')
  await expect(ada.getByText('You have 2 orders, 1 not taken')).toBeVisible()
  await ada.getByRole('button', { name: 'Clear selection' }).click()
  await expect(mine(ada)).toHaveText('Mine 2')
  await mine(ada).click()
  await expect(ada).toHaveURL(/\?mine=yes$/)
  await expect(rowOf(ada, second)).toBeVisible()
  await expect(rowOf(ada, first)).toHaveCount(0)
  expect(await violationsOf(ada)).toEqual([])
  for (const order of [second, third]) await rowOf(ada, order).getByRole('checkbox').check()
  await ada.getByRole('button', { name: 'Let go' }).click()
  await expect(ada.getByText('Let go of 2 orders')).toBeVisible()
  await expect(rowOf(ada, second)).toHaveCount(0)
})

test('a second press right after “I take it” does not let the order go', async ({
  openDesk,
  ownShop,
  outside,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && calls.push(request.url()))
  await page.clock.install()
  await openOrder(page, order)
  await live(page)
  await stopTime(page)
  const taken = () => expect(holder(page)).toContainText('You have it since', { timeout: 200 })
  await holder(page).getByRole('button', { name: 'I take it' }).click()
  await runUntil(page, taken, 20)
  const letGo = holder(page).getByRole('button', { name: 'Let go' })
  // The second half of the double click, which is no click of this button if counted as a second press, and the key.
  await letGo.hover()
  await page.mouse.down()
  await page.mouse.up()
  await page.keyboard.press('m')
  await page.clock.runFor(100)
  await taken()
  expect(calls).toEqual([])
  await page.clock.runFor(700)
  await expect(letGo).toBeEnabled()
  // A new press counts.
  await page.clock.resume()
  await letGo.click()
  await expect(holder(page).getByRole('button', { name: 'I take it' })).toBeVisible()

  await openOrders(page)
  await expect(rowOf(page, order)).toBeVisible()
  await page.clock.install()
  calls.length = 0
  await page.keyboard.press('j')
  await stopTime(page)
  await page.keyboard.press('m')
  const told = () => expect(page.getByText(`You have #${order.id}`)).toBeVisible({ timeout: 200 })
  await runUntil(page, told, 20)
  await page.keyboard.press('m')
  await page.clock.runFor(100)
  expect(calls).toEqual([])
  await page.clock.resume()
})
