import type { Page } from '@playwright/test'
import { expect, newOrders, openOrders, rowOf, test } from '../../desk.ts'
import { signIn } from '../../people.ts'
import { onDemand } from '../../../server/test/orders.ts'

interface Held {
  /** Resolves once the server has given the first of them. */
  readonly answered: Promise<void>
  readonly release: () => void
}

/** Holds answers back that the server has already given; `isHeld` sees each address with its number from 1 on. */
async function holdAnswers(
  page: Page,
  address: string,
  isHeld: (url: URL, place: number) => boolean,
): Promise<Held> {
  const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let place = 0
  await page.route(address, async (route) => {
    place += 1
    if (route.request().method() !== 'GET' || !isHeld(new URL(route.request().url()), place))
      return route.fallback()
    const response = await route.fetch()
    answered.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  return { answered: answered.promise, release: () => released.resolve() }
}

const bell = (page: Page) => page.getByRole('banner').getByText('1 not seen yet', { exact: true })
const late = { ...onDemand, date_submitted: new Date(Date.now() - 130 * 60_000).toISOString() }
const showLate = (page: Page) =>
  page.getByRole('group', { name: 'Show', exact: true }).getByRole('button', { name: 'Late' })

test('an alarm that comes while the page asks anew after a broken line is not taken back', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrders(page)
  let isBack = false
  let held = 0
  // The list and the newest orders.
  const lists = await holdAnswers(page, '**/orders/optimized?*', () => isBack && held++ < 2)
  cable.cut()
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toHaveCount(0)
  isBack = true
  const alarms = page.waitForResponse(/\/alarms$/)
  cable.mend()
  await Promise.all([alarms, lists.answered])
  await outside.order(ownShop.key)
  await expect(bell(page)).toBeVisible()
  // The page asks for the queue once it has taken the answers in.
  const taken = page.waitForResponse(/\/orders\/queue$/)
  lists.release()
  await taken
  await expect(bell(page)).toBeVisible()
})

test('an order that came before the stream is asked for again when the first try fails', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  const came = Promise.withResolvers<void>()
  await page.route('**/events', async (route) => {
    await came.promise
    await route.continue()
  })
  await page.goto('/orders/active')
  await expect(page.getByRole('row')).toHaveCount(2)
  await outside.order(ownShop.key)
  let failed = 0
  await page.route('**/orders/optimized?*', async (route) => {
    failed += 1
    if (failed > 2) return route.continue()
    await route.fulfill({ status: 502, body: 'Bad gateway' })
  })
  came.resolve()
  await expect(newOrders(page, '1 new order')).toBeVisible()
})

test('an order page shows a cancellation, although an older answer comes after it', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const detail = await holdAnswers(page, `**/m/v2/orders/${order.id}`, (_url, place) => place === 1)
  await rowOf(page, order)
    .getByRole('link', { name: `#${order.id}`, exact: true })
    .click()
  await detail.answered
  const newer = page.waitForResponse((response) => response.url().endsWith(`/m/v2/orders/${order.id}`))
  await outside.tell(order, { status: 'CANCELLED', comment: 'No longer wanted' })
  await (await newer).finished()
  let answers = 0
  // The older one, and the one that the page asks for because of it.
  const replaced = page.waitForResponse(
    (response) => response.url().endsWith(`/m/v2/orders/${order.id}`) && ++answers === 2,
  )
  detail.release()
  await replaced
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
  await expect(page.getByRole('main').getByText('Cancelled', { exact: true }).first()).toBeVisible()
})

test('a list that has to be asked for again is, although one of its rows has changed meanwhile', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const first = await outside.order(ownShop.key, late)
  const page = await openDesk(ownShop.owner)
  await openOrders(page, 'active?due=late')
  await expect(rowOf(page, first)).toBeVisible()
  await showLate(page).click()
  await expect(page).toHaveURL(/\/orders\/active$/)
  const second = await outside.order(ownShop.key, late)
  await expect(showLate(page)).toHaveText('Late 2')
  await outside.update(bearer, first, { status: 'MERCHANT_ACCEPTED' })
  await expect(rowOf(page, first)).toContainText('Accepted')
  await showLate(page).click()
  await expect(rowOf(page, second)).toBeVisible()
  await expect(rowOf(page, first)).toBeVisible()
})

test('a note that comes while the notes are first asked for is shown', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const notes = await holdAnswers(page, `**/orders/${order.id}/notes`, (_url, place) => place === 1)
  await rowOf(page, order)
    .getByRole('link', { name: `#${order.id}`, exact: true })
    .click()
  await notes.answered
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/notes', {
    as: bearer,
    params: { tmk: ownShop.key, id: order.id },
    body: { text: 'Do not ship yet' },
  })
  // Once the page has heard of this order, it has heard of the note before it.
  await outside.order(ownShop.key)
  await expect(bell(page)).toBeVisible()
  notes.release()
  await expect(page.getByText('Do not ship yet', { exact: true })).toBeVisible()
})
