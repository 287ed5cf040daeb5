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

async function press(page: Page, orders: readonly Kept[], name: string): Promise<void> {
  await selected(page, orders)
  await selectionBar(page).getByRole('button', { name }).click()
  await page.getByRole('dialog').waitFor()
}

/** The screens of actions on many orders. */
export const bulkScreens: readonly Screen[] = [
  {
    name: 'orders-selected',
    show: (page, { fresh, engraved, pictured }) => selected(page, [fresh, engraved, pictured]),
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
