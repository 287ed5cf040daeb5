import type { Page } from '@playwright/test'
import type { Order } from '@cellarhand/contract/orders'
import { dialogTakesKeys } from '../fields.ts'
import type { Stage } from './stage.ts'

export interface Screen {
  readonly name: string
  /** The signed-in person; by default the owner of the demo. */
  readonly person?: string | null
  /** The desk's own worker serves it, which other tests block. */
  readonly hasWorker?: true
  /** What it shows goes with time or when the window gets another width, or a phone needs other steps. */
  readonly goesWhenResized?: true
  /** The part that axe looks at, if the rest is another test's. */
  readonly ownPart?: string
  show(page: Page, stage: Stage): Promise<void>
}

export async function list(page: Page, tab = 'active'): Promise<void> {
  await page.goto(`/orders/${tab}`)
  await page
    .getByRole('link', { name: /^#\d+$/ })
    .first()
    .waitFor()
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' })
}

export async function view(page: Page, { id }: Order): Promise<void> {
  await page.goto(`/orders/view/${id}`)
  await page.getByRole('heading', { level: 1, name: `#${id}` }).waitFor()
  await page.getByText('Order received').waitFor()
}

export async function inDialog(page: Page, order: Order, opener: string): Promise<void> {
  await view(page, order)
  // The same button is at the top of a wide screen and at the bottom of a phone.
  await page.getByRole('button', { name: opener }).filter({ visible: true }).first().click()
  // The part itself, and not its frame alone, which appears earlier.
  const loading = page.getByText('Loading', { exact: true })
  await page.getByRole('dialog').filter({ hasNot: loading }).waitFor()
  await dialogTakesKeys(page)
}

export async function signInAs(page: Page, email: string, secret: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

export async function search(page: Page, box: string, text: string): Promise<void> {
  await list(page)
  await page.getByRole('combobox', { name: box }).fill(text)
}

export async function titled(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { name: title }).first().waitFor()
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last()

/** On a phone, the bell gives way to the alarm until somebody acknowledges it. */
export async function openAlarm(page: Page): Promise<void> {
  const bell = page.getByRole('button', { name: /^Order alarm: / })
  const notice = page.getByRole('button', { name: 'Got it' })
  await bell.or(notice).first().waitFor()
  if (!(await bell.isVisible())) await notice.click()
  await bell.click()
}
