import type { Locator } from '@playwright/test'
import { openDatabase } from './database.ts'
import { expect, openOrder, openOrders, test } from './desk.ts'
import { resize } from './page-time.ts'
import { signIn } from './people.ts'
import { tornWordsOf } from './screens/torn-words.ts'
import { heldPlaces } from '../server/seed/demo-rules.ts'
import { anOrder } from '../server/test/orders.ts'

test('the store’s whole name stands in the header from 320 pixels on, and its title says it', async ({
  openDesk,
  outside,
  dataDir,
  ownShop,
}) => {
  const name = 'Missing Piece Wine & Spirits of Elmhurst'
  const database = await openDatabase(dataDir)
  await database.query('update merchants set name = $2 where merchant_id = $1', [ownShop.key, name])
  await database.end()
  await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { viewport: { width: 320, height: 640 } })
  await openOrders(page)
  await expect(page.getByRole('button', { name: 'Got it' })).toBeVisible()
  const store = page.getByRole('banner').getByTitle(name)
  for (const width of [320, 360, 390]) {
    await resize(page, { width, height: 640 })
    const isWhole = await store.getByText(name).evaluate((element) => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
      return scrollWidth <= clientWidth && scrollHeight <= clientHeight
    })
    const wider = await page.evaluate(() =>
      [...document.querySelectorAll('header *')]
        .filter((each) => each.getBoundingClientRect().right > innerWidth)
        .map((each) => each.outerHTML.slice(0, 90)),
    )
    expect([width, isWhole, wider]).toEqual([width, true, []])
  }
})

test('on the narrowest phone the words of a name stay whole beside the word that the line is gone, also before the bell has come', async ({
  openDesk,
  ownShop,
  cable,
}) => {
  const page = await openDesk(ownShop.owner, {
    baseURL: cable.url,
    viewport: { width: 320, height: 640 },
  })
  await page.route('**/assets/alarm-bell-*', () => undefined)
  await openOrders(page)
  cable.cut()
  await expect(page.getByRole('banner').getByText('Reconnecting')).toBeVisible()
  expect(await tornWordsOf(page)).toEqual([])
})

test('beside a row of alarms a long name leaves the line’s state its words and keeps a part of itself, in a header of the usual height', async ({
  openDesk,
  outside,
  dataDir,
  ownShop,
}) => {
  const name = 'The Extraordinarily Well-Stocked Harbour Wine & Spirits Emporium of Greater New York'
  const database = await openDatabase(dataDir)
  await database.query('update merchants set name = $2 where merchant_id = $1', [ownShop.key, name])
  await database.end()
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const banner = page.getByRole('banner')
  const wordsOf = (state: Locator) =>
    state.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  for (const width of [1440, 1180, 1024]) {
    await resize(page, { width, height: 900 })
    expect([width, await wordsOf(banner.getByText('Live', { exact: true }))]).toEqual([width, 0])
  }
  for (let sent = 0; sent < 2; sent++)
    await outside.tell(await outside.order(ownShop.key), { status: 'CANCELLED', comment: 'No longer wanted' })
  await outside.order(ownShop.key)
  await outside.order(ownShop.key)
  await expect(banner.getByText('2 not seen yet')).toBeVisible()
  await expect(banner.getByText('1 more')).toBeVisible()
  for (const width of [1440, 1180, 1024, 834, 781, 780, 600, 481, 390, 320]) {
    await resize(page, { width, height: 900 })
    const store = await banner.getByTitle(name).boundingBox()
    const state = await banner.getByRole('status').first().boundingBox()
    const { height = 0 } = (await banner.boundingBox()) ?? {}
    expect([width, Number(store?.width) >= 64]).toEqual([width, true])
    expect([width, Number(store?.x) + Number(store?.width) <= Number(state?.x)]).toEqual([width, true])
    expect([width, height <= (width > 780 ? 56 : 170)]).toEqual([width, true])
    const least = width > 1100 ? 0 : 44
    expect([width, Number(store?.height) >= least]).toEqual([width, true])
  }
})

test('with cancellations, a question and new orders at once, the menu Settings stays in the window', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.decideRule(bearer, {
    merchant: ownShop.key,
    rule: 'WY-WINE',
    body: {
      decision: 'changed',
      applies: { roads: ['parcel'] },
      value: { answer: 'deny' },
      reason: 'No licence for Wyoming',
    },
  })
  const recipient = {
    ...anOrder(ownShop.key).recipient,
    ...heldPlaces[0],
    first_name: 'Ngozi',
    last_name: 'Eze',
  }
  const held = await outside.order(ownShop.key, { recipient })
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/ask', {
    as: bearer,
    params: { tmk: ownShop.key, id: held.id },
    body: { rule: held.duties?.block[0]?.rule ?? '' },
  })
  for (let sent = 0; sent < 2; sent++)
    await outside.tell(await outside.order(ownShop.key), { status: 'CANCELLED', comment: 'No longer wanted' })
  for (let sent = 0; sent < 2; sent++) await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const banner = page.getByRole('banner')
  // The store, three pages, and four links to what rings.
  await expect(banner.getByRole('link')).toHaveCount(8)
  for (const width of [1920, 1600, 1440, 1439, 1241, 1180, 1101, 1024, 834, 781]) {
    await resize(page, { width, height: 900 })
    const menu = await banner.getByRole('button', { name: /^(Settings|Menu)$/ }).boundingBox()
    expect([width, Number(menu?.x) + Number(menu?.width) <= width]).toEqual([width, true])
  }
})

test('the header names the key of the commands, and a press opens them', async ({ openDesk, ownShop }) => {
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await page.getByRole('banner').getByRole('button', { name: 'Commands Ctrl K' }).click()
  await expect(page.getByRole('combobox', { name: 'Command, page or order number' })).toBeFocused()
})

test('the two hours of an on-demand order are no news once it is finished', async ({
  page,
  outside,
  url,
}) => {
  const notice = page.getByText('On demand: please deliver within 2 hours of submission.')
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await openOrder(page, order)
  await expect(notice).toBeVisible()
  for (const status of ['MERCHANT_ACCEPTED', 'MERCHANT_SHIPPED'])
    await outside.update(bearer, order, { status })
  await expect(page.getByRole('button', { name: 'Mark Delivered' }).first()).toBeVisible()
  await expect(notice).toBeVisible()
  await outside.tell(order, { status: 'CANCELLED' })
  await expect(notice).toHaveCount(0)
})
