import type { Page } from '@playwright/test'
import type { Order } from '@cellarhand/contract/orders'
import { anOrder } from '../../server/test/orders.ts'
import {
  buildKept,
  cutBand,
  everyPageKept,
  openWaiting,
  shownKept,
  waitingList,
} from '../offline/on-device.ts'
import { pressAccept } from '../orders/deciding.ts'
import { dialog, expect } from '../desk.ts'
import type { Outside } from '../outside.ts'
import type { Screen } from './screen-steps.ts'

const newest = '/orders/active?sort=desc'
const names = [
  ['Maximiliana Theodora', 'Wolfeschlegelsteinhausenbergerdorff-Montgomery'],
  ['Dee', 'Nakamura'],
  ['Zoë', 'Å'],
] as const

const linkTo = (page: Page, { id }: Order) => page.getByRole('link', { name: `#${id}`, exact: true }).last()

/**
 * Opens the kept list of new orders, of the merchant who is signed in, on a line that is gone. What an earlier look
 * decided goes out before.
 */
async function cutLine(page: Page, outside: Outside): Promise<Order[]> {
  const context = page.context()
  await context.setOffline(false)
  const tmk = (await context.cookies()).find(({ name }) => name === 'tmk')?.value ?? ''
  const orders: Order[] = []
  for (const [first_name, last_name] of names)
    orders.push(await outside.order(tmk, { recipient: { ...anOrder('x').recipient, first_name, last_name } }))
  await page.goto(newest)
  for (const order of orders) await expect(linkTo(page, order)).toBeVisible()
  await buildKept(page)
  await shownKept(page, () => outside.order(tmk))
  await context.setOffline(true)
  await page.goto(newest)
  await expect(cutBand(page)).toBeVisible()
  return orders
}

async function accept(page: Page, order: Order): Promise<void> {
  await page.goto(newest)
  await page.getByRole('button', { name: `Accept #${order.id}` }).click()
  await pressAccept(page)
  await expect(waitingList(page)).toContainText(`Accept #${order.id}`)
}

async function reject(page: Page, order: Order): Promise<void> {
  await page.goto(`/orders/view/${order.id}`)
  await page.getByRole('button', { name: 'Reject' }).filter({ visible: true }).first().click()
  const box = dialog(page, 'Reject Order')
  await box.getByText('Customer cancelled').click()
  await box.getByRole('button', { name: 'REJECT', exact: true }).click()
  await expect(waitingList(page)).toContainText(`Reject #${order.id}`)
}

/** The desk on a line that is gone, with decisions that wait for it. */
export const offlineScreens: readonly Screen[] = [
  {
    name: 'orders-without-a-line',
    hasWorker: true,
    async show(page, { outside }) {
      const [first, second, third] = (await cutLine(page, outside)) as [Order, Order, Order]
      await accept(page, first)
      await accept(page, second)
      await reject(page, third)
      await page.goto(newest)
      await expect(linkTo(page, first)).toBeVisible()
      await expect(page.getByRole('button', { name: `Accept #${first.id}` })).toHaveCount(0)
    },
  },
  {
    name: 'decisions-without-a-line',
    hasWorker: true,
    async show(page, { outside }) {
      const [first, , third] = (await cutLine(page, outside)) as [Order, Order, Order]
      await accept(page, first)
      await reject(page, third)
      await openWaiting(page)
    },
  },
  {
    name: 'decisions-after-the-cut',
    hasWorker: true,
    async show(page, { outside }) {
      const [first, , third] = (await cutLine(page, outside)) as [Order, Order, Order]
      await accept(page, first)
      await reject(page, third)
      await outside.tell(third, { status: 'CANCELLED', comment: 'No longer wanted' })
      await page.context().setOffline(false)
      await expect(waitingList(page, 'Sent after the cut')).toBeVisible()
      await openWaiting(page, 'Sent after the cut')
    },
  },
  {
    name: 'order-without-a-line',
    hasWorker: true,
    async show(page, { outside }) {
      const [first] = (await cutLine(page, outside)) as [Order, Order, Order]
      await accept(page, first)
      await page.goto(`/orders/view/${first.id}`)
      await expect(page.getByRole('heading', { level: 1, name: `#${first.id}` })).toBeVisible()
    },
  },
  ...(['today', 'hand-over', 'wall', 'pick'] as const).map((name): Screen => ({
    name: `${name}-without-a-line`,
    hasWorker: true,
    async show(page, { outside }) {
      const [first] = (await cutLine(page, outside)) as [Order, Order, Order]
      await page.context().setOffline(false)
      await everyPageKept(page)
      await page.context().setOffline(true)
      await page.goto(name === 'pick' ? `/pick/${first.id}` : `/${name}`)
      await expect(page.locator('main')).toContainText('No connection')
    },
  })),
]
