import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { runUntil } from '../../page-time.ts'
import { openBadGateway } from '../../servers/bad-gateway.ts'
import { block, expect, newOrders, openNewest, openOrder, openOrders, rowOf, test } from '../../desk.ts'
import { signIn } from '../../people.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Order alarm: / })
const unnoticed = (page: Page, words: string | RegExp) =>
  page.getByRole('banner').getByText(words, { exact: true })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Order alarm' })
const meter = (page: Page) => panel(page).getByRole('meter', { name: 'Loudness just now' })

/** The loudness at the loudspeaker, as the product's own meter shows it. */
const loudness = async (page: Page) => Number(await meter(page).getAttribute('value'))
const isHeard = (page: Page) => expect.poll(() => loudness(page), { intervals: [50] }).toBeGreaterThan(0.05)
/** Passes after a silence longer than the longest pause between two rings. */
async function staysSilent(page: Page): Promise<void> {
  let until = Date.now() + 6_000
  await expect
    .poll(
      async () => {
        if ((await loudness(page)) > 0.01) until = Date.now() + 6_000
        return Date.now() > until ? 'silent' : 'waiting'
      },
      { intervals: [50] },
    )
    .toBe('silent')
}

/** Turns it on, and hears its test. */
async function turnOn(page: Page): Promise<void> {
  await bell(page).click()
  // The test is shorter than some pauses of a busy machine, so the page itself listens.
  const isHeardBy = (press: string) => async () => {
    const heard = page.waitForFunction(
      () => Number(document.querySelector('meter')?.getAttribute('value')) > 0.05,
      undefined,
      { timeout: 10_000 },
    )
    await Promise.all([heard, panel(page).getByRole('button', { name: press }).click()])
  }
  await isHeardBy('Turn on and test')().catch(() => expect(isHeardBy('Play new order')).toPass())
  await expect(panel(page).getByText('This screen rings for new orders.')).toBeVisible()
}

const closePanel = (page: Page) => panel(page).getByRole('button', { name: 'Close dialog' }).click()

async function noticeAll(url: string, person: string, tmk: string): Promise<void> {
  const { bearer } = await signIn(url, person)
  const headers = { authorization: bearer, 'content-type': 'application/json' }
  const address = `${url}/m/v2/merchant/${tmk}/alarms`
  const { items } = (await (await fetch(address, { headers })).json()) as {
    items: { order_id: string; kind: string }[]
  }
  const alarms = items.map(({ order_id, kind }) => ({ order_id, kind }))
  if (alarms.length === 0) return
  await fetch(`${address}/acknowledge`, { method: 'POST', headers, body: JSON.stringify({ alarms }) })
}

test.describe('the alarm', () => {
  test.beforeEach(async ({ url, shop }) => noticeAll(url, shop.owner, shop.key))

  test('is turned on and tested once, then rings for a new order until somebody notices it on another device', async ({
    openDesk,
    outside,
    shop,
  }) => {
    const till = await openDesk(shop.owner)
    const phone = await openDesk(shop.owner, { viewport: { width: 390, height: 844 } })
    await openOrders(till)
    await openOrders(phone)
    const title = await till.title()
    await expect(bell(till)).toHaveAccessibleName('Order alarm: not set up on this screen. Turn on sound')
    await turnOn(till)
    await staysSilent(till)

    const order = await outside.order(shop.key)
    await isHeard(till)
    await closePanel(till)
    await expect(bell(till)).toHaveAccessibleName('Order alarm: on')
    await expect(unnoticed(till, '1 not seen yet')).toHaveAttribute('href', `/orders/view/${order.id}`)
    await expect(till).toHaveTitle(`(1) ${title}`)
    await expect(till.locator('link[rel=icon]')).toHaveAttribute('href', '/favicon-alarm.svg')
    await expect(unnoticed(phone, '1 not seen yet')).toBeVisible()

    await phone.getByRole('button', { name: 'Got it' }).click()
    await expect(unnoticed(phone, '1 not seen yet')).toHaveCount(0)
    await expect(unnoticed(till, '1 not seen yet')).toHaveCount(0)
    await expect(till).toHaveTitle(title)
    await bell(till).click()
    await staysSilent(till)
  })

  test('of an order that somebody opens or shows ends for everybody', async ({ openDesk, outside, shop }) => {
    const [till, other] = [await openDesk(shop.owner), await openDesk(shop.owner)]
    await openOrders(till)
    await openOrders(other)
    const order = await outside.order(shop.key)
    await expect(unnoticed(other, '1 not seen yet')).toBeVisible()
    await unnoticed(till, '1 not seen yet').click()
    await expect(till.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
    await expect(unnoticed(other, '1 not seen yet')).toHaveCount(0)
    await outside.order(shop.key)
    await outside.order(shop.key)
    await expect(unnoticed(till, '2 not seen yet')).toBeVisible()
    // The first order waits here too, so the list shows something before all have come.
    await expect(newOrders(other, '3 new orders')).toBeVisible()
    await other.getByRole('button', { name: 'Show' }).click()
    await expect(unnoticed(till, '2 not seen yet')).toHaveCount(0)
  })

  test('of a cancellation has its own words and sound, on every page of the dashboard', async ({
    openDesk,
    outside,
    shop,
  }) => {
    const till = await openDesk(shop.owner)
    const order = await outside.order(shop.key)
    await till.goto('/settings/profile')
    await expect(unnoticed(till, '1 not seen yet')).toBeVisible()
    await outside.tell(order, { status: 'CANCELLED', comment: 'Changed their mind' })
    const link = till.getByRole('banner').getByRole('link', { name: `#${order.id} cancelled`, exact: true })
    await expect(link).toHaveAttribute('href', `/orders/view/${order.id}`)
    await expect(till.getByText(`Order #${order.id} was cancelled.`)).toBeAttached()
    await turnOn(till)
    await isHeard(till)
    await closePanel(till)
    await till.getByRole('button', { name: 'Got it' }).click()
    await expect(link).toHaveCount(0)
  })

  test('can be muted for a limited time, and stays visible', async ({ openDesk, outside, shop }) => {
    const till = await openDesk(shop.owner)
    await openOrders(till)
    await turnOn(till)
    await panel(till).getByRole('button', { name: 'Until tomorrow’s opening' }).click()
    await expect(panel(till).getByText(/^Muted until \w+day, \d{1,2}:\d\d AM$/)).toBeVisible()
    await panel(till).getByRole('button', { name: 'Sound again' }).click()
    await panel(till).getByRole('button', { name: '15 minutes' }).click()
    // Shortly before midnight, that moment is tomorrow.
    await expect(panel(till).getByText(/^Muted until (\w+day, )?\d{1,2}:\d\d [AP]M$/)).toBeVisible()
    await outside.order(shop.key)
    await expect(till).toHaveTitle(/^\(1\) /)
    await staysSilent(till)
    await panel(till).getByRole('button', { name: 'Sound again' }).click()
    await isHeard(till)
  })

  test('sounds in one tab of a browser only, and moves to the next when that one closes', async ({
    openDesk,
    shop,
  }) => {
    const first = await openDesk(shop.owner)
    await openOrders(first)
    await turnOn(first)
    const second = await first.context().newPage()
    await openOrders(second)
    // A tab that may already sound needs no press; otherwise this is the press.
    await second.getByRole('heading', { level: 1 }).click()
    await expect(bell(second)).toHaveAccessibleName('Order alarm: on')
    await bell(second).click()
    await expect(panel(second).getByText('Another tab of this browser rings.')).toBeVisible()
    await first.close()
    await expect(panel(second).getByText('This screen rings for new orders.')).toBeVisible()
  })
})

test('after a reload, a browser that blocks sound says so, and sounds from the first press on', async ({
  page,
}) => {
  await openOrders(page)
  await turnOn(page)
  await page.reload()
  await expect(bell(page)).toHaveAccessibleName(
    'Order alarm: the browser holds the sound back until you press here. Sound is blocked',
  )
  await page.getByRole('heading', { level: 1 }).click()
  await expect(bell(page)).toHaveAccessibleName('Order alarm: on')
})

test('LIST-038 GAP-81 orders that wait or arrive while the clerk is on another page are in the bar on the way back', async ({
  openDesk,
  outside,
  shop,
}) => {
  const till = await openDesk(shop.owner)
  await openOrders(till)
  await outside.order(shop.key)
  await expect(newOrders(till, '1 new order')).toBeVisible()
  await till.getByRole('link', { name: 'Inventory', exact: true }).click()
  await expect(till.getByRole('heading', { level: 1, name: 'Inventory' })).toBeVisible()
  await outside.order(shop.key)
  await till.getByRole('link', { name: 'Orders', exact: true }).click()
  await expect(newOrders(till, '2 new orders')).toBeVisible()

  // That page has no frame.
  await till.getByRole('button', { name: 'Settings' }).click()
  await till.getByRole('menuitem', { name: 'Developer', exact: true }).click()
  await expect(till).toHaveURL(/\/developers$/)
  await expect(bell(till)).toHaveCount(0)
  await outside.order(shop.key)
  await till.goBack()
  await expect(newOrders(till, '3 new orders')).toBeVisible()
})

test('LIST-041 a change shows once the server answers again for its order', async ({
  openDesk,
  outside,
  url,
  shop,
}) => {
  const gateway = await openBadGateway(url, 502)
  const till = await openDesk(shop.owner, { baseURL: gateway.url })
  const order = await outside.order(shop.key)
  await openNewest(till)
  await expect(rowOf(till, order)).toBeVisible()
  gateway.fail(`GET /m/v2/orders/${order.id}`)
  const refused = till.waitForResponse((reply) => reply.status() === 502)
  await outside.tell(order, { status: 'CANCELLED', comment: 'Changed their mind' })
  await refused
  gateway.mend()
  await expect(rowOf(till, order)).toHaveCount(0)
  await gateway.remove()
})

test('GAP-81 without an open stream, new orders and alarms come by asking every 30 seconds', async ({
  openDesk,
  outside,
  url,
  ownShop: shop,
}) => {
  const proxy = http.createServer((request, response) => {
    // Like a proxy that holds an answer until it is complete.
    if (request.url?.endsWith('/events')) return void response.on('error', () => undefined)
    const { hostname, port } = new URL(url)
    const onward = http.request(
      { hostname, port, path: request.url, method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  await outside.order(shop.key)
  const till = await openDesk(shop.owner, {
    baseURL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  })
  await till.clock.install()
  await till.goto('/orders/active')
  await expect(till.getByRole('row').nth(1)).toBeVisible()
  await expect(till.getByRole('status').getByText('Live', { exact: true })).toHaveCount(0)
  await outside.order(shop.key)
  await runUntil(till, () => expect(newOrders(till, '1 new order')).toBeVisible({ timeout: 200 }), 5_000)
  await expect(unnoticed(till, '2 not seen yet')).toBeVisible()
  await expect(till.getByRole('status').getByText(/^(Reconnecting|Offline since .*)$/)).toBeVisible()
  proxy.closeAllConnections()
  proxy.close()
})

test('LIST-041 GAP-81 without an open stream, orders that leave the tab elsewhere leave the list, the open order follows, and old orders are no news', async ({
  openDesk,
  outside,
  url,
  ownShop,
}) => {
  const gateway = await openBadGateway(url, 502)
  gateway.fail(`GET /m/v2/merchant/${ownShop.key}/events`)
  const [listed, opened] = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
  await outside.order(ownShop.key)
  const list = await openDesk(ownShop.owner, { baseURL: gateway.url })
  await list.clock.install()
  await list.goto('/orders/active')
  await expect(rowOf(list, listed)).toBeVisible()
  const view = await list.context().newPage()
  await openOrder(view, opened)
  const filtered = await list.context().newPage()
  await filtered.goto('/orders/active?method=preorder')
  const tabs = filtered.getByRole('navigation', { name: 'Order tabs' })
  await expect(tabs).toContainText(/Active 3\s*On hold 0\s*Cancelled 0/)
  for (const order of [listed, opened]) await outside.tell(order, { status: 'CANCELLED' })

  const soon = { timeout: 200 }
  // The time of all pages of a browser is one.
  await runUntil(
    list,
    async () => {
      await expect(tabs).toContainText(/Active 1\s*On hold 0\s*Cancelled 2/, soon)
      await expect(rowOf(list, listed)).toHaveCount(0, soon)
      await expect(block(view, 'History').getByRole('listitem').first()).toContainText('Cancelled', soon)
    },
    5_000,
  )
  await expect(newOrders(filtered, /^\d+ new orders?$/)).toHaveCount(0)
  await gateway.remove()
})

test.describe('the people on an order', () => {
  test('show in the list and in the view, with their activity, and go when they leave or their browser dies', async ({
    openDesk,
    outside,
  }) => {
    // So late that it is on top of the list.
    const date_submitted = new Date(Date.now() - 5_000 * 3_600_000).toISOString()
    const order = await outside.order('demo', { delivery: { method: 'on_demand' }, date_submitted })
    const [till, colleague] = [await openDesk('owner@demo.test'), await openDesk('member@demo.test')]
    await openOrders(till)
    await openOrder(colleague, order)
    const row = rowOf(till, order)
    await expect(row.getByText(/^\S+ \S+ is on it$/)).toBeVisible()
    await expect(colleague.getByText(/ is on it$/)).toHaveCount(0)
    await colleague.getByRole('button', { name: 'Accept' }).filter({ visible: true }).first().click()
    await expect(row.getByText(/^\S+ \S+ is deciding on it$/)).toBeVisible()
    await colleague.getByRole('button', { name: 'Close dialog' }).click()
    await expect(row.getByText(/ is on it$/)).toBeVisible()

    await openOrder(till, order)
    await expect(till.getByText(/^\S+ \S+ is on it$/)).toBeVisible()
    await expect(colleague.getByText(/^\S+ \S+ is on it$/)).toBeVisible()
    await colleague.getByRole('button', { name: 'Back to the list' }).click()
    await expect(till.getByText(/ is on it$/)).toHaveCount(0)
    await expect(rowOf(colleague, order).getByText(/ is on it$/)).toBeVisible()

    await openOrder(colleague, order)
    await expect(till.getByText(/ is on it$/)).toBeVisible()
    await colleague.context().close()
    await expect(till.getByText(/ is on it$/)).toHaveCount(0)
  })

  test('go within 10 seconds when their connection breaks', async ({ openDesk, outside, cable }) => {
    const order = await outside.order('demo')
    const till = await openDesk('owner@demo.test')
    const colleague = await openDesk('member@demo.test', { baseURL: cable.url })
    await openOrder(colleague, order)
    await openOrder(till, order)
    await expect(till.getByText(/^\S+ \S+ is on it$/)).toBeVisible()
    cable.cut()
    await expect(till.getByText(/ is on it$/)).toHaveCount(0)
    cable.mend()
    await expect(till.getByText(/^\S+ \S+ is on it$/)).toBeVisible()
  })

  test('show as "you" for one’s own other screen', async ({ openDesk, outside }) => {
    const order = await outside.order('demo')
    const [one, two] = [await openDesk('owner@demo.test'), await openDesk('owner@demo.test')]
    await openOrder(one, order)
    await openOrder(two, order)
    await expect(one.getByText('You are on it on another screen')).toBeVisible()
  })
})
