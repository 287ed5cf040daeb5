import type { Page } from '@playwright/test'
import { samples, textOf } from '../../web/src/delivery/licence/licence-samples.ts'
import { button, inDialog, titled, view, type Screen } from './screen-steps.ts'
import type { Stage } from './stage.ts'

async function scan(page: Page, { outForDelivery }: Stage): Promise<void> {
  await inDialog(page, outForDelivery, 'Mark Delivered')
  await button(page, 'Scan the ID').click()
  await page.getByRole('group', { name: 'Scan the ID' }).waitFor()
}

/** A licence as a hand scanner types it. */
async function scanLicence(page: Page, elements: Record<string, string>): Promise<void> {
  // With a touch screen the camera comes first.
  const byHand = button(page, 'Use a hand scanner')
  const field = page.getByLabel('Hand scanner', { exact: true })
  await byHand.or(field).first().waitFor()
  if (await byHand.isVisible()) await byHand.click()
  const [card] = samples.slice(-1) as [(typeof samples)[number]]
  const text = textOf({ ...card, elements: { ...card.elements, ...elements } })
  await field.fill(text.replaceAll(/\p{Cc}/gu, '\n'))
}

/** What the rules ask, the ID check at the door, and a rule as an owner changes it. */
export const dutyScreens: readonly Screen[] = [
  {
    name: 'order-held',
    async show(page, { held }) {
      await view(page, held)
      await page.getByText(/^1 against it · checked/).waitFor({ state: 'attached' })
    },
  },
  {
    name: 'order-held-for-a-clerk',
    person: 'member@demo.test',
    async show(page, { held }) {
      await view(page, held)
      await page.getByText(/^1 against it · checked/).waitFor({ state: 'attached' })
    },
  },
  {
    name: 'dialog-ask-an-owner',
    person: 'member@demo.test',
    async show(page, { held }) {
      await view(page, held)
      await button(page, 'Ask an owner').first().click()
      await page.getByRole('dialog', { name: 'Ask an owner' }).waitFor()
    },
  },
  { name: 'order-unchecked', show: (page, { unchecked }) => view(page, unchecked) },
  {
    name: 'orders-needing-a-look',
    async show(page) {
      await page.goto('/orders/active?needs_a_look=1')
      await page
        .getByRole('link', { name: /^#\d+$/ })
        .first()
        .waitFor()
    },
  },
  { name: 'dialog-let-it-pass', show: (page, { held }) => inDialog(page, held, 'Let it pass') },
  { name: 'id-scan', show: scan },
  {
    name: 'id-typed',
    async show(page, stage) {
      await scan(page, stage)
      await button(page, 'Type the dates').click()
      await button(page, 'Check the dates').click()
      await page.getByText('Please write the date as MM/DD/YYYY').first().waitFor()
    },
  },
  {
    name: 'id-passed',
    async show(page, stage) {
      await scan(page, stage)
      await scanLicence(page, { DBA: '01312099' })
      await page.getByText('21 or over, not expired').waitFor()
    },
  },
  {
    name: 'id-expired',
    async show(page, stage) {
      await scan(page, stage)
      await scanLicence(page, { DBA: '01312023' })
      await page.getByText('expired. Do not hand the order over').waitFor()
    },
  },
  {
    name: 'id-refused',
    async show(page, stage) {
      await scan(page, stage)
      await scanLicence(page, { DBA: '01312023' })
      await page.getByText('expired. Do not hand the order over').waitFor()
      await button(page, 'NOT HANDED OVER').click()
      await page.getByText('ID scanned: 21 or over, expired').waitFor()
    },
  },
  {
    name: 'rules-change',
    async show(page) {
      await titled(page, '/settings/duties', 'Rules')
      await button(page, 'Change CA-HOURS').click()
      await button(page, 'CHANGE').click()
      await page.getByText('Please give the reason').waitFor()
    },
  },
]
