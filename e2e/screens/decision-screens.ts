import { button, inDialog, view, type Screen } from './screen-steps.ts'

/** The screens of a decision: the order view with its pictures, and the dialogs of its lines. */
export const decisionScreens: readonly Screen[] = [
  {
    name: 'order-pictured',
    async show(page, { pictured }) {
      await view(page, pictured)
      await page.getByText('At distributor').waitFor()
    },
  },
  {
    name: 'dialog-review',
    async show(page, { fresh }) {
      await inDialog(page, fresh, 'Accept')
      await button(page, 'Review Order').click()
      await page
        .getByRole('dialog', { name: 'Review Order' })
        .getByText('Products', { exact: true })
        .waitFor()
    },
  },
  { name: 'dialog-out-of-stock', show: (page, { fresh }) => inDialog(page, fresh, 'Out of stock') },
  {
    name: 'dialog-wrong-price',
    async show(page, { fresh }) {
      await inDialog(page, fresh, 'Wrong Price')
      await button(page, 'UPDATE ORDER').click()
      await page.getByText('Please enter a price above 0').waitFor()
    },
  },
  {
    name: 'dialog-substitute',
    async show(page, { partlyRejected }) {
      await inDialog(page, partlyRejected, 'Offer substitute')
      await page.getByRole('dialog').getByRole('checkbox').first().check()
    },
  },
  {
    name: 'order-asked',
    async show(page, { asked }) {
      await view(page, asked.order)
      await page
        .getByText(/^Offered /)
        .first()
        .waitFor()
    },
  },
  {
    name: 'customer-substitutes',
    person: null,
    async show(page, { asked }) {
      await page.goto(`${asked.path}?choose=1`)
      await page.getByRole('button', { name: 'Send my answer' }).waitFor()
    },
  },
  {
    name: 'order-not-sent-yet',
    async show(page, { pictured }) {
      await inDialog(page, pictured, 'Out of stock')
      await page.keyboard.press('Escape')
      await page.getByText('Not sent yet').waitFor()
    },
  },
  {
    name: 'dialog-picture',
    show: (page, { pictured }) => inDialog(page, pictured, 'Show Grüner Veltliner Smaragd large'),
  },
]
