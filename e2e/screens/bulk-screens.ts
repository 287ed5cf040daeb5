import type { Page } from '@playwright/test'
import type { Order } from '@cellarhand/contract/orders'
import { list, type Screen } from './screen-steps.ts'
import { selectionBar } from '../orders/selection.ts'

type Kept = Pick<Order, 'id' | 'thirstie_logistic_order_ref'>

const gone: Kept = { id: '99999999', thirstie_logistic_order_ref: 'gone' }

/** The bar over a list with these orders selected, also on a phone, which offers no selection. */
async function selected(page: Page, orders: readonly Kept[]): Promise<void> {
  await page.addInitScript(
    (kept) => sessionStorage.setItem('cellarhand-selection', JSON.stringify({ owner: 'demo', kept })),
    orders.map(({ id, thirstie_logistic_order_ref: reference }) => ({
      id,
      reference,
      total: 64,
      canAccept: true,
      version: 1,
    })),
  )
  await list(page)
  await page.getByText(`${orders.length} selected`).waitFor()
}

/**
 * On a phone the bar lies over the list's end. A button of a card that the bar cuts counts as too small, though a finger
 * scrolls it free. The window grows until the bar cuts none.
 */
async function uncut(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  for (let more = 0; more <= 400; more += 8) {
    await page.setViewportSize({ width, height: height + more })
    const isCut = await selectionBar(page).evaluate(async (bar) => {
      // The list follows a new size of the window a frame later.
      for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
      const { top, bottom } = bar.getBoundingClientRect()
      const targets = [...document.querySelectorAll('article :is(a, button, input)')]
      return targets
        .map((target) => target.getBoundingClientRect())
        .some((box) => [top, bottom].some((edge) => box.top - 4 < edge && edge < box.bottom + 4))
    })
    if (!isCut) return
  }
  throw new Error('The bar cuts a button at every height of the window.')
}

async function press(page: Page, orders: readonly Kept[], name: string): Promise<void> {
  await selected(page, orders)
  await selectionBar(page).getByRole('button', { name }).click()
  await page.getByRole('dialog').waitFor()
}

/** The screens of actions on many orders. */
export const bulkScreens: readonly Screen[] = [
  {
    name: 'orders-selected',
    async show(page, { fresh, engraved, pictured }) {
      await selected(page, [fresh, engraved, pictured])
      await uncut(page)
    },
  },
  {
    name: 'dialog-bulk-accept-refused',
    async show(page, { cancelled, rejected }) {
      await press(page, [cancelled, rejected], 'Accept')
      await page.getByRole('dialog').getByRole('button', { name: 'ACCEPT 2' }).click()
      await page.getByText('2 of 2 were not accepted').waitFor()
    },
  },
  {
    name: 'dialog-bulk-running',
    async show(page, { fresh, engraved }) {
      await press(page, [fresh, engraved], 'Details CSV')
      await page.getByText('Being made.').or(page.getByText('Ready.')).waitFor()
    },
  },
  {
    name: 'dialog-bulk-labels',
    async show(page, { fresh, engraved }) {
      await press(page, [fresh, engraved], 'Labels')
      await page.getByText(/^(Estimate|No price)/).waitFor()
    },
  },
  {
    name: 'dialog-bulk-some-failed',
    async show(page, { fresh }) {
      await press(page, [fresh, gone], 'Details CSV')
      await page.getByText('1 of 2 could not be included').waitFor()
      await page.getByText('Ready.').waitFor()
    },
  },
]
