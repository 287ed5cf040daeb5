import type { Order } from '@cellarhand/contract/orders'
import type { Page } from '@playwright/test'
import { expect, openOrders, rowOf } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { openShop } from '../shop.ts'

export function selectionBar(page: Page) {
  return page.getByRole('group', { name: 'Selected orders' })
}

export function selectLoaded(page: Page): Promise<void> {
  return page.getByRole('checkbox', { name: 'Select all loaded orders' }).click()
}

interface Ground {
  readonly openDesk: (person: string, options?: { baseURL: string }) => Promise<Page>
  readonly outside: Outside
  readonly dataDir: string
  /** The server's address for the page, if it is not the usual one. */
  readonly baseURL?: string
}

/** The list of a shop with that many new orders, none of them selected yet. */
export async function openNewOrders({ openDesk, outside, dataDir, baseURL }: Ground, howMany: number) {
  const shop = await openShop(dataDir)
  const orders: Order[] = []
  while (orders.length < howMany) orders.push(await outside.order(shop.key))
  const page = await openDesk(shop.owner, baseURL === undefined ? undefined : { baseURL })
  await openOrders(page)
  for (const order of orders) await expect(rowOf(page, order)).toBeVisible()
  return { shop, orders, page, bar: selectionBar(page) }
}
