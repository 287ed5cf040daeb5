import type { Page, Route } from '@playwright/test'
import type { Outside } from '../outside.ts'
import { dialog, expect, openOrders, test, toast } from '../desk.ts'
import { signIn } from '../people.ts'
import { addColleague, type Shop } from '../shop.ts'

// A save or a read whose answer takes its time, while the person goes on.

/** Holds the calls of this method and address until they are let go. */
async function hold(page: Page, method: string, address: string | RegExp) {
  const held = Promise.withResolvers<void>()
  await page.route(address, async (route: Route) => {
    if (route.request().method() === method) await held.promise
    await route.continue()
  })
  return () => held.resolve()
}

const details = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'Store Details' }) })
const save = (page: Page) => details(page).getByRole('button', { name: 'Save' })

interface Ground {
  readonly outside: Outside
  readonly url: string
  readonly ownShop: Shop
}

/** A colleague's save from another screen. */
async function changeStore(ground: Ground, changes: object): Promise<void> {
  const { outside, url, ownShop } = ground
  const { bearer: as } = await signIn(url, ownShop.owner)
  const params = { tmk: ownShop.key }
  const { name, email, primary_phone, address } = await outside.call('GET /c/v2/merchants/{tmk}', {
    as,
    params,
  })
  const place = { ...address, street_2: 'N/A' }
  await outside.call('POST /c/v2/merchants/{tmk}', {
    as,
    params,
    body: { name, email, primary_phone, address: place, ...changes },
  })
}

/** The link of the page that is open asks for its settings anew. */
const askAgain = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()

async function openCompany(page: Page): Promise<void> {
  await page.goto('/settings/company')
  await expect(details(page).getByLabel('Store name')).toBeVisible()
}

test('text typed while a save is under way stays, and can be saved after it; a field that nobody has touched follows a colleague’s change', async ({
  openDesk,
  ownShop,
  outside,
  url,
}) => {
  const page = await openDesk(ownShop.owner)
  await openCompany(page)
  await details(page).getByLabel('Suite floor').fill('N/A')
  await details(page).getByLabel('Primary contact').fill('Ada Marsh')
  await details(page).getByLabel('Store name').fill('Harbor  ')
  const answer = await hold(page, 'POST', `**/c/v2/merchants/${ownShop.key}`)
  await save(page).click()
  await expect(save(page)).toHaveAttribute('aria-busy', 'true')
  await details(page).getByLabel('Primary phone').fill('+12125550177')
  answer()
  await expect(toast(page, 'Company information updated successfully!')).toBeVisible()
  await expect(details(page).getByLabel('Store name')).toHaveValue('Harbor')
  await expect(details(page).getByLabel('Primary phone')).toHaveValue('+12125550177')
  await save(page).click()
  // The attribute itself: while a save is under way its button is only said to be disabled.
  await expect(save(page)).toHaveAttribute('disabled')
  const { bearer } = await signIn(url, ownShop.owner)
  const stored = await outside.call('GET /c/v2/merchants/{tmk}', { as: bearer, params: { tmk: ownShop.key } })
  expect([stored.name, stored.primary_phone]).toEqual(['Harbor', '+12125550177'])

  // A save that changes nothing leaves the field untouched, and it goes on to follow.
  await details(page).getByLabel('Store name').fill('Harbor  ')
  await save(page).click()
  await expect(save(page)).toHaveAttribute('disabled')
  await changeStore({ outside, url, ownShop }, { name: 'Harbor & Co' })
  await askAgain(page, 'Company')
  await expect(details(page).getByLabel('Store name')).toHaveValue('Harbor & Co')
  await expect(save(page)).toBeDisabled()

  // A typed field stays, and the ones beside it follow.
  await details(page).getByLabel('Suite floor').fill('Second floor')
  await changeStore({ outside, url, ownShop }, { primary_phone: '+12125550188' })
  await askAgain(page, 'Company')
  await expect(details(page).getByLabel('Primary phone')).toHaveValue('+12125550188')
  await expect(details(page).getByLabel('Suite floor')).toHaveValue('Second floor')
  await details(page).getByLabel('Suite floor').fill('N/A')
  await expect(save(page)).toBeDisabled()
})

test('a choice that was taken back is no change, so the form follows a colleague’s', async ({
  openDesk,
  ownShop,
  outside,
  url,
}) => {
  const page = await openDesk(ownShop.owner)
  await page.goto('/settings/alarms')
  const rules = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Late orders' }) })
  const scheduled = rules.getByRole('group', { name: 'Scheduled', exact: true })
  const soon = scheduled.getByRole('switch', { name: 'Nearly late' })
  await soon.click()
  await scheduled.getByLabel('minutes before').fill('45')
  await soon.click()
  await expect(rules.getByRole('button', { name: 'Save' })).toBeDisabled()
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.call('PUT /m/v2/merchant/{tmk}/alarms/rules', {
    as: bearer,
    params: { tmk: ownShop.key },
    body: { rules: [{ method: 'scheduled', soon_minutes: null, late: true }], quiet_when_closed: false },
  })
  await askAgain(page, 'Alarms')
  await expect(scheduled.getByRole('switch', { name: 'Late', exact: true })).toBeChecked()
  await expect(rules.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('an invitation whose answer comes late leaves a person alone who has gone back to the order', async ({
  openDesk,
  ownShop,
  outside,
}) => {
  const { id } = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  await page.goto(`/orders/view/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: `#${id}` })).toBeVisible()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Invite a colleague' }).click()
  const form = dialog(page, 'Invite a user')
  await form.getByLabel('First name').fill('Rosa')
  await form.getByLabel('Last name').fill('Vine')
  await form.getByLabel('Email').fill(`rosa@${ownShop.key}.test`)
  const answer = await hold(page, 'POST', `**/c/v2/merchants/${ownShop.key}/users`)
  await form.getByRole('button', { name: 'INVITE' }).click()
  await expect(form.getByRole('button', { name: 'INVITE' })).toHaveAttribute('aria-busy', 'true')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: `#${id}` })).toBeVisible()
  answer()
  await expect(toast(page, `An invitation was sent to rosa@${ownShop.key}.test.`)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/orders/view/${id}$`))
})

test('a revoke under way stays on the screen until it is done or refused, and the next visit knows it', async ({
  openDesk,
  ownShop,
  dataDir,
}) => {
  const email = await addColleague(dataDir, ownShop)
  const page = await openDesk(ownShop.owner)
  await page.goto('/settings/users')
  await page.getByRole('button', { name: 'Revoke Theo Vance' }).click()
  const revoke = dialog(page, 'Revoke Theo Vance’s access?')
  const held = Promise.withResolvers<void>()
  let isRefused = true
  await page.route(/\/a\/v2\/users\/[^/]+\/data$/, async (route) => {
    await held.promise
    if (isRefused)
      await route.fulfill({ status: 409, json: { message: 'Not now', code: 'changed_elsewhere' } })
    else await route.continue()
  })
  await revoke.getByRole('button', { name: 'REVOKE' }).click()
  await expect(revoke.getByRole('button', { name: 'CLOSE', exact: true })).toBeDisabled()
  await page.keyboard.press('Escape')
  held.resolve()
  await expect(revoke.getByRole('alert')).toBeVisible()
  isRefused = false
  await revoke.getByRole('button', { name: 'TRY AGAIN' }).click()
  await expect(page.getByText('Access revoked', { exact: true })).toBeVisible()
  const links = page.getByRole('navigation', { name: 'Settings' })
  await links.getByRole('link', { name: 'Company' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Company' })).toBeVisible()
  await links.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await expect(page.getByText(ownShop.owner)).toBeVisible()
  // Asked once: a list from before would be corrected a moment later.
  expect(await page.getByText(email).count()).toBe(0)
})

test('a removed view stays removed where the list of views was asked for before', async ({
  openDesk,
  ownShop,
}) => {
  const page = await openDesk(ownShop.owner)
  await openOrders(page, 'active?method=shipped')
  const open = page.getByRole('button', { name: /^View/ })
  const panel = page.getByRole('group', { name: /^View/ })
  await open.click()
  await panel.getByRole('button', { name: 'Save this view' }).click()
  await panel.getByLabel('Name', { exact: true }).fill('Parcels')
  await panel.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(panel.getByRole('link')).toContainText('Parcels')
  await page.keyboard.press('Escape')

  // The server answers, and its answer stays on the road.
  const held = Promise.withResolvers<void>()
  const read = Promise.withResolvers<string>()
  await page.route(`**/m/v2/merchant/${ownShop.key}/views`, async (route) => {
    const isRead = route.request().method() === 'GET'
    const response = await route.fetch()
    if (isRead) {
      read.resolve(await response.text())
      await held.promise
    }
    await route.fulfill({ response }).catch(() => undefined)
  })
  await open.click()
  expect(await read.promise).toContain('Parcels')
  await page.getByRole('button', { name: 'Remove Parcels' }).click()
  await page
    .getByRole('button', { name: /^Remove/ })
    .last()
    .click()
  await expect(page.getByRole('link', { name: /^Parcels/ })).toHaveCount(0)
  held.resolve()
  // The page gave the read up, so no sign of it comes.
  await page.waitForTimeout(1_000)
  await expect(panel).toContainText('No view is saved yet.')
})
