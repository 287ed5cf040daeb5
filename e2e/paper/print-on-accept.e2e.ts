import type { Page } from '@playwright/test'
import { dialog, expect, rowOf, test, toast } from '../desk.ts'
import { openNewOrders, selectLoaded } from '../orders/selection.ts'
import { pressAccept } from '../orders/deciding.ts'

const frames = (page: Page) => page.locator('iframe[title="Document to print"]')

/** The printed documents of the page, whether each has printed. */
const printedOf = (page: Page) =>
  frames(page).evaluateAll((all) =>
    // A frame that is about to load has no root element for a moment.
    all.map(
      (frame) => (frame as HTMLIFrameElement).contentDocument?.querySelector('html')?.dataset['printed'],
    ),
  )

async function choose(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
}

test('a device that prints what it accepts prints two slips that come at the same moment, both on its own paper @prints', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page } = await openNewOrders({ openDesk, outside, dataDir }, 2)
  await choose(page, 'Label, 4 × 6 in', 'Print the packing slip')
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/reports/') && asked.push(request.url()))
  const both = Promise.withResolvers<void>()
  await page.route('**/reports/packingslip*', async (route) => {
    await both.promise
    await route.continue()
  })
  for (const order of orders) {
    await rowOf(page, order).getByRole('button', { name: 'Accept' }).click()
    await pressAccept(page)
    await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
    await page.goBack()
    await expect(rowOf(page, order)).toContainText('Accepted')
  }
  await expect.poll(() => asked).toHaveLength(2)
  for (const address of asked) expect(new URL(address).searchParams.get('paper')).toBe('label4x6')
  both.resolve()
  await expect.poll(() => printedOf(page)).toEqual(['yes', 'yes'])
})

test('slips of a bulk accept wait for a download that already runs, and then print @prints', async ({
  openDesk,
  outside,
  dataDir,
  cable,
}) => {
  const { shop, page, bar } = await openNewOrders({ openDesk, outside, dataDir, baseURL: cable.url }, 2)
  await choose(page, 'Print the packing slip')
  await selectLoaded(page)
  // The details are under way as long as the cable holds the answer.
  cable.holdAnswers(`POST /m/v2/merchant/${shop.key}/orders/bulk/details`)
  await bar.getByRole('button', { name: 'Details CSV' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'CLOSE', exact: true }).click()
  await bar.getByRole('button', { name: 'Accept 2' }).click()
  await dialog(page, 'Accept Orders').getByRole('button', { name: 'ACCEPT 2' }).click()
  await expect(toast(page, '2 orders were accepted.')).toBeVisible()
  cable.mend()
  await expect.poll(() => printedOf(page)).toEqual(['yes'])
  await expect(dialog(page, 'Packing Slips').getByRole('status')).toHaveText('2 of 2')
})
