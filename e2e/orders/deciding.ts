import type { Locator, Page } from '@playwright/test'
import type { Order } from '@cellarhand/contract/orders'
import { basic } from '../../server/seed/calls.ts'
import type { Outside } from '../outside.ts'
import { dialog, expect } from '../desk.ts'
import { signIn } from '../people.ts'

/** An order as the marketplace reads it. */
export const stored = (outside: Outside, { id }: Order) =>
  outside.call('GET /marketplace/v1/orders/{id}', { as: basic('marketplace:marketplace'), params: { id } })

/** The history as a clerk at another till reads it. */
export async function actions(outside: Outside, url: string, { id }: Order): Promise<string[]> {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const { history } = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id } })
  return history.map(({ action }) => action)
}

export const twoBottles = {
  items: ['Rye', 'Gin'].map((name) => ({
    id: `line-${name}`,
    name,
    quantity: 1,
    price: 20,
    subtotal: 20,
    product: { id: `p-${name}` },
  })),
  transaction: { subtotal: 40, total: 40 },
}

export const lineOf = (scope: Page | Locator, name: string): Locator =>
  scope.getByRole('row').filter({ hasText: name })
export const option = (scope: Page | Locator, name: string, label: string): Locator =>
  lineOf(scope, name).getByRole('button', { name: label, exact: true })
export const update = (scope: Page | Locator): Locator =>
  scope.getByRole('button', { name: 'UPDATE ORDER', exact: true })
/** The button of the next step, or the one beside it. */
export const next = (page: Page, name: string): Locator => page.getByRole('button', { name }).first()

/** Opens the question; nothing is sent yet. */
export async function askToAccept(page: Page): Promise<void> {
  await next(page, 'Accept').click()
  await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
}

export const pressAccept = (page: Page) =>
  dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
