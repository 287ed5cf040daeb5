import type { Page } from '@playwright/test'
import { dialog } from '../desk.ts'
import { typeAsScanner } from '../fields.ts'
import { button, type Screen } from './screen-steps.ts'
import type { Stage } from './stage.ts'

async function open(page: Page, ...ids: string[]): Promise<void> {
  await page.goto(`/pick/${ids.join(',')}`)
  await page.getByRole('heading', { name: 'Scan the bottle' }).waitFor()
}

const openWave = (page: Page, { wave }: Stage) => open(page, ...wave.orders.map(({ id }) => id))

/** Pick mode, for one order and for a wave. */
export const pickScreens: readonly Screen[] = [
  { name: 'pick', show: (page, { wave: { orders } }) => open(page, orders[0].id) },
  {
    name: 'pick-right-bottle',
    async show(page, { outside }) {
      const { id } = await outside.order('demo')
      await open(page, id)
      await button(page, 'No code to scan').click()
      await page.getByText('Confirmed by hand').waitFor()
    },
  },
  {
    name: 'pick-wrong-bottle',
    async show(page, stage) {
      await openWave(page, stage)
      await typeAsScanner(page, `${stage.wave.wrongCode}\n`)
      await page.getByText('Wrong bottle, put it back').waitFor()
    },
  },
  {
    name: 'pick-not-enough',
    async show(page, stage) {
      await openWave(page, stage)
      await button(page, 'Not enough here').click()
      await dialog(page, 'Out of Stock').waitFor()
    },
  },
  {
    name: 'pick-not-enough-accepted',
    async show(page, { acceptedLocal }) {
      await open(page, acceptedLocal.id)
      await button(page, 'Not enough here').click()
      await dialog(page, 'Not enough here').getByRole('button', { name: 'Go on picking' }).waitFor()
    },
  },
  {
    name: 'pick-stopped',
    async show(page, { rejected, wave: { orders } }) {
      await open(page, orders[0].id, rejected.id)
      await page.getByText('Put its bottles back.').waitFor()
    },
  },
]
