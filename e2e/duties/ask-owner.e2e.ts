import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createUser } from '../../server/src/sign-in/public.ts'
import { toUtah } from '../../server/test/orders.ts'
import { asAdmin } from '../database.ts'
import { dialog, expect, openOrder, openOrders, rowOf, test } from '../desk.ts'
import { password, signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'
import { linkMailedTo } from '../sign-in/outbox.ts'

const utah = 'No rule that this shop has confirmed allows to ship these bottles to Utah.'
const card = (page: Page) => page.getByRole('region', { name: 'What this order needs' })

test('a clerk asks an owner about a held order, once; the owner answers from the mail, and the clerk reads the answer', async ({
  openDesk,
  outside,
  ownShop,
  dataDir,
  url,
}) => {
  const email = `member@${ownShop.key}.test`
  await asAdmin(dataDir, (db) =>
    createUser(db, {
      email,
      firstName: 'Mona',
      lastName: 'Reyes',
      password,
      merchantKey: ownShop.key,
      role: 'merch.user',
    }),
  )
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.decideRule(bearer, { merchant: ownShop.key, rule: 'US-HOME-STATE' })
  const held = await outside.order(ownShop.key, toUtah)
  const [clerk, owner] = [await openDesk(email), await openDesk(ownShop.owner)]
  await openOrders(clerk)
  const last = rowOf(clerk, held).getByRole('button', { name: `More for #${held.id}` })
  await expect(last, 'the words leave room for every button').toBeInViewport({ ratio: 1 })
  await rowOf(clerk, held).getByRole('link', { name: 'See why' }).click()
  await expect(card(clerk).getByRole('button', { name: 'Let it pass' })).toHaveCount(0)
  await expect(card(clerk)).toContainText('or ask an owner, who can let it pass with a reason.')
  await card(clerk).getByRole('button', { name: 'Ask an owner' }).click()
  const ask = dialog(clerk, 'Ask an owner')
  await expect(ask.getByText(utah)).toBeVisible()
  await expect(ask.getByRole('textbox')).toBeFocused()
  expect(await violationsOf(clerk)).toEqual([])
  await ask.getByRole('textbox').fill('The brand says it has a permit. Do we?')
  await ask.getByRole('button', { name: 'ASK AN OWNER', exact: true }).dblclick()
  await expect(ask).toHaveCount(0)
  await expect(card(clerk)).toContainText('Mona Reyes asked the owners')
  await expect(card(clerk)).toContainText('“The brand says it has a permit. Do we?”')
  await expect(card(clerk)).toContainText('or wait for an owner’s answer.')
  await expect(card(clerk).getByRole('button', { name: 'Ask an owner' })).toHaveCount(0)
  await expect(clerk.getByText(/^Owner asked by Mona Reyes/)).toHaveCount(1)

  await openOrders(owner)
  await expect(rowOf(owner, held)).toContainText('Owner asked')
  const asked = new RegExp(`^#${held.id}: you are asked`)
  await expect(owner.getByRole('link', { name: asked })).toBeVisible()
  await expect(clerk.getByText(asked)).toHaveCount(0)
  await owner.goto(await linkMailedTo(outside, ownShop.owner))
  await expect(card(owner)).toContainText('“The brand says it has a permit. Do we?”')
  expect(await violationsOf(owner)).toEqual([])
  await card(owner).getByRole('button', { name: 'Keep it held' }).click()
  const keep = dialog(owner, 'Keep it held')
  await keep.getByRole('button', { name: 'KEEP IT HELD', exact: true }).click()
  await expect(keep.getByText('Please give the reason')).toBeVisible()
  await keep.getByLabel('Reason').fill('Not before the first of March')
  await keep.getByRole('button', { name: 'KEEP IT HELD', exact: true }).click()
  await expect(keep).toHaveCount(0)
  await expect(card(owner).getByRole('button', { name: 'Keep it held' })).toHaveCount(0)

  // The clerk's page has followed without a press.
  await expect(card(clerk)).toContainText('Ada Marsh kept it held')
  await expect(card(clerk)).toContainText('“Not before the first of March”')
  await card(clerk).getByRole('button', { name: 'Ask an owner' }).click()
  await ask.getByRole('button', { name: 'ASK AN OWNER', exact: true }).click()
  await expect(ask).toHaveCount(0)
  await card(owner).getByRole('button', { name: 'Let it pass' }).click()
  const pass = dialog(owner, 'Let it pass')
  await pass.getByLabel('Reason').fill('The permit came today')
  await pass.getByRole('button', { name: 'LET IT PASS', exact: true }).click()
  await expect(clerk.getByText('Reason: The permit came today')).toBeVisible()
  await expect(clerk.getByRole('button', { name: 'Accept' }).first()).toBeVisible()
})

test('while the hours of a signed rule last, the order says so, and an owner lets it pass', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const time = (offset: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' }).format(
      Date.now() + offset * 3_600_000,
    )
  await outside.call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
    as: bearer,
    params: { tmk: ownShop.key, rule: 'CA-HOURS' },
    key: randomUUID(),
    body: {
      decision: 'changed',
      reason: 'Our town is asleep',
      value: { from: time(-2), to: time(2) },
    },
  })
  const order = await outside.order(ownShop.key, {
    delivery: { method: 'on_demand' },
    recipient: { ...toUtah.recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' },
  })
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  const line = card(page).getByRole('listitem').filter({ hasText: 'Not now' })
  await expect(line).toContainText('no hand-over from')
  await expect(card(page)).toContainText('1 against it')
  expect(await violationsOf(page)).toEqual([])
  await line.getByRole('button', { name: 'Let it pass' }).click()
  const pass = dialog(page, 'Let it pass')
  await pass.getByLabel('Reason').fill('The street festival lasts until four')
  await pass.getByRole('button', { name: 'LET IT PASS', exact: true }).click()
  await expect(pass).toHaveCount(0)
  await expect(line).toHaveCount(0)
})
