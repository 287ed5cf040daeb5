import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { button, view, type Screen } from './screen-steps.ts'

/** The headless shell denies notifications from the start. */
async function mayAsk(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(Notification, 'permission', { get: () => 'default', configurable: true }),
  )
}

/** The page of a day, for those who see clerks compared and for those who do not. */
export const dayScreens: readonly Screen[] = [
  {
    name: 'wall',
    async show(page) {
      await page.goto('/wall')
      await page.getByRole('main', { name: 'Wall screen' }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'alarms',
    async show(page) {
      await page.goto('/settings/alarms')
      await page.getByRole('heading', { name: 'Nobody watching' }).waitFor()
    },
  },
  {
    name: 'alarms-of-a-member',
    person: 'member@demo.test',
    async show(page) {
      await mayAsk(page)
      await page.goto('/settings/alarms')
      await page.getByRole('button', { name: 'Switch on for this device' }).waitFor()
    },
  },
  {
    name: 'alarms-missing',
    async show(page) {
      await page.goto('/settings/alarms')
      const scheduled = page.getByRole('group', { name: 'Scheduled', exact: true })
      await scheduled.getByRole('switch', { name: 'Nearly late' }).click()
      await scheduled.getByLabel('minutes before').fill('0')
      await page.getByRole('button', { name: 'Save' }).first().click()
      await page.getByText(/^Please enter whole minutes/).waitFor()
      await page.getByRole('switch', { name: 'Tell somebody when nobody watches' }).click()
      await page.getByRole('group', { name: 'On duty' }).getByLabel('Person').selectOption({ index: 1 })
      await page.getByRole('group', { name: 'On duty' }).getByLabel('By').selectOption('Text message')
      await page.getByRole('button', { name: 'Save' }).last().click()
      await page.getByText('Please choose an owner').waitFor()
    },
  },
  {
    name: 'today',
    async show(page) {
      await page.goto('/today')
      await page.getByRole('region', { name: 'By clerk' }).getByRole('row').nth(1).waitFor()
    },
  },
  {
    name: 'today-for-a-clerk',
    person: 'member@demo.test',
    async show(page) {
      await page.goto('/today')
      await page.getByRole('region', { name: 'Late' }).waitFor()
    },
  },
  {
    name: 'today-without-orders',
    async show(page) {
      await page.goto('/today?day=2001-01-01')
      await page.getByText('No order came in on that day.').waitFor()
    },
  },
  {
    name: 'shift-hand-over',
    async show(page) {
      await page.goto('/hand-over')
      await page.getByRole('region', { name: 'Who has what' }).waitFor()
    },
  },
  {
    name: 'note-delete',
    async show(page, { outside }) {
      await view(page, await outside.order('demo'))
      await button(page, 'Add note').click()
      await page
        .getByLabel('New note')
        .fill('The buzzer is broken. Call from the street, and ask for Maximiliana.')
      await button(page, 'Add').click()
      await button(page, 'Delete').click()
      await button(page, 'Delete for good').waitFor()
    },
  },
  {
    name: 'order-taken',
    async show(page, { outside }) {
      await view(page, await outside.order('demo'))
      await page.getByRole('button', { name: 'I take it' }).click()
      await page.getByText(/^You have it since/).waitFor()
    },
  },
  {
    name: 'saved-views-twice',
    goesWhenResized: true,
    async show(page) {
      await page.goto('/orders/active?method=on_demand')
      const isPhone = (page.viewportSize()?.width ?? 0) <= 480
      if (isPhone) await page.getByRole('button', { name: 'Filters and sort' }).click()
      await page.getByRole('button', { name: 'Views' }).click()
      const name = `Friday at the door ${randomUUID().slice(0, 8)}`
      for (const answer of [page.getByRole('link', { name }), button(page, 'Replace')]) {
        await page.getByRole('button', { name: 'Save this view' }).click()
        await page.getByLabel('Name', { exact: true }).fill(name)
        await button(page, 'Save').click()
        await answer.waitFor()
      }
    },
  },
  {
    name: 'saved-views',
    goesWhenResized: true,
    async show(page) {
      await page.goto('/orders/active')
      const isPhone = (page.viewportSize()?.width ?? 0) <= 480
      if (isPhone) await page.getByRole('button', { name: 'Filters and sort' }).click()
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('button', { name: 'Save this view' }).click()
    },
  },
]
