import { spawn, type ChildProcess } from 'node:child_process'
import {
  test as base,
  expect,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test'
import { layCable, type Cable } from './cable.ts'
import { notePrinting, watchFaults } from './faults.ts'
import { outsideOf, type Outside } from './outside.ts'
import { withOwnServer, type OwnServer } from './servers/own-server.ts'
import { letIn } from './people.ts'
import { openShop, root, type Shop } from './shop.ts'
import { stall } from './stall.ts'

interface Fixtures {
  /** The person signed in to `page`'s browser; null for nobody. */
  person: string | null
  /** Whether idle pages fetch the parts that the next press may need, which takes some 7 % of the tests' processor time. */
  fetchesAhead: boolean
  url: string
  outside: Outside
  /** Another browser, with that person signed in; it is watched like the first. */
  openDesk: (person: string, options?: BrowserContextOptions) => Promise<Page>
  /** A marketplace that keeps sending until the test ends. */
  simulate: (merchant: string, options: { seed: number }) => void
  /** A connection to the server that the test can cut. */
  cable: Cable
  /** A merchant of this test alone, whose settings it may change. */
  ownShop: Shop
  /** A server of this test alone, some seconds after it is asked for. Name it before `openDesk`, whose pages end first. */
  ownServer: OwnServer
}

interface WorkerFixtures {
  dataDir: string
  /** A merchant of this worker alone: only the running test changes it. */
  shop: Shop
}

/** The base of every test: a real browser on the real server, in which no fault may go unnoticed. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  person: ['owner@demo.test', { option: true }],
  fetchesAhead: [false, { option: true }],
  url: async ({ baseURL }, use) => use(baseURL ?? ''),
  outside: async ({ url }, use) => use(outsideOf(url)),
  context: async ({ context, person, fetchesAhead, url }, use) => {
    const faults = await watchFaults(context)
    await notePrinting(context)
    await stall(context)
    if (!fetchesAhead) await saveData(context)
    if (person !== null) await letIn(context, url, person)
    await use(context)
    expect(faults, 'errors in the browser').toEqual([])
  },
  openDesk: async ({ browser, contextOptions, fetchesAhead, url }, use) => {
    const opened: (() => Promise<void>)[] = []
    await use(async (person, options) => {
      const baseURL = options?.baseURL ?? url
      const context = await browser.newContext({ ...contextOptions, ...options, baseURL })
      const faults = await watchFaults(context)
      await notePrinting(context)
      await stall(context)
      if (!fetchesAhead) await saveData(context)
      await letIn(context, baseURL, person)
      opened.push(async () => {
        await context.close()
        expect(faults, `errors in the browser of ${person}`).toEqual([])
      })
      return context.newPage()
    })
    for (const close of opened) await close()
  },
  simulate: async ({ url }, use) => {
    const running: ChildProcess[] = []
    await use((merchant, { seed }) => {
      const options = { url, merchant, seed: String(seed), rate: '6/min', minutes: '10', pace: '50' }
      const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
      running.push(
        spawn(process.execPath, ['server/src/simulate.ts', ...args], {
          cwd: root,
          stdio: ['ignore', 'ignore', 'inherit'],
        }),
      )
    })
    for (const child of running) child.kill('SIGTERM')
  },
  cable: async ({ url }, use) => {
    const cable = await layCable(url)
    await use(cable)
    await cable.remove()
  },
  ownShop: async ({ dataDir }, use) => use(await openShop(dataDir)),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  ownServer: async ({}, use) => withOwnServer(use),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  dataDir: [async ({}, use) => use(process.env['E2E_DATA_DIR'] ?? ''), { scope: 'worker' }],
  shop: [async ({ dataDir }, use) => use(await openShop(dataDir)), { scope: 'worker' }],
})

export { expect }

/** As in a browser that its user told to save data. */
async function saveData(context: BrowserContext): Promise<void> {
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
}

export function rowOf(page: Page, order: { id: string }): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link', { name: `#${order.id}`, exact: true }) })
}

/** A tab in the page's header; the order view's way back to the list has the same words. */
export function tabLink(page: Page, name: string): Locator {
  const tabs = page.getByRole('navigation', { name: 'Order tabs' })
  return tabs.getByRole('link', { name: new RegExp(`^${name}( |$)`) })
}

/** What the frame of a dialog says until the dialog's part is there, also once that takes long. */
export const LOADING = /^Loading(\.|$)/

/** An open dialog, once its part has loaded and not its frame alone. */
export function dialog(page: Page, name: string): Locator {
  return page.getByRole('dialog', { name, exact: true }).filter({ hasNot: page.getByText(LOADING) })
}

export function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status', { name: 'Messages' }).getByText(text, { exact: true })
}

/** Resolves when the page is ready for a clerk: signed in, with the event stream open. */
export async function openOrders(page: Page, tab = 'active'): Promise<void> {
  await page.goto(`/orders/${tab}`)
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** The same with the newest order on top. */
export async function openNewest(page: Page): Promise<void> {
  const cookies = await page.context().cookies()
  // A list draws the rows in view only, and all tests send orders to the demo.
  if (cookies.some(({ name, value }) => name === 'tmk' && value === 'demo'))
    throw new Error('The newest orders of the demo change at any time. Open a shop of the test’s own.')
  await openOrders(page, 'active?sort=desc')
}

export async function openOrder(page: Page, { id }: { id: string }): Promise<void> {
  await page.goto(`/orders/view/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: `#${id}` })).toBeVisible()
}

/** Goes to another address as a link of the open page does. It costs a tenth of opening the page anew. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, '', to), address)
}

/** The same to an order. */
export async function followToOrder(page: Page, { id }: { id: string }): Promise<void> {
  await follow(page, `/orders/view/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: `#${id}` })).toBeVisible()
}

/** Chooses from the menu of the order's row or card. */
export async function chooseMore(page: Page, { id }: { id: string }, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for #${id}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** One of the order view's blocks, by its title. */
export function block(page: Page, title: string): Locator {
  const heading = page.getByRole('heading', { level: 2, name: title, exact: true })
  return page.locator('section').filter({ has: heading })
}

/** The text in the bar of new orders, such as "2 new orders". */
export function newOrders(page: Page, text: string | RegExp): Locator {
  return page.getByRole('strong').and(page.getByText(text, { exact: true }))
}

/** The radio button itself is hidden under the carrier's logo. */
export async function pickCarrier(tracking: Locator, carrier: string): Promise<void> {
  await tracking.getByText(carrier, { exact: true }).last().click()
  await expect(tracking.getByRole('radio', { name: carrier })).toBeChecked()
}
