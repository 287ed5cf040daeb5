import type { Page } from '@playwright/test'
import { openDatabase } from '../../database.ts'
import { expect, openOrders, test, toast } from '../../desk.ts'

const minuteMs = 60_000
const scheduled = (leftMinutes: number) => {
  const at = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString()
  return { delivery: { method: 'scheduled' as const, window: [at(leftMinutes - 30), at(leftMinutes)] } }
}
const unnoticed = (page: Page, words: string | RegExp) =>
  page.getByRole('banner').getByText(words, { exact: true })
const group = (page: Page) => page.getByRole('group', { name: 'Scheduled', exact: true })
const lateOrders = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Late orders' }) })

/** As if the shop had saved its rules long ago; its new orders are noticed. */
async function asOfOld(dataDir: string, shop: { key: string }): Promise<void> {
  const database = await openDatabase(dataDir)
  await database.query(`update order_alarms set ended_at = now() where merchant_id = $1 and kind = 'new'`, [
    shop.key,
  ])
  await database.query(
    `update alarm_rules set since_at = '2020-01-01', looked_at = '2020-01-01' where merchant_id = $1`,
    [shop.key],
  )
  await database.end()
}

async function saveRules(page: Page): Promise<void> {
  await page.goto('/settings/profile')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Alarms' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Alarms' })).toBeVisible()
  const save = lateOrders(page).getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await group(page).getByRole('switch', { name: 'Nearly late' }).click()
  await group(page).getByLabel('minutes before').fill('0')
  await group(page).getByRole('switch', { name: 'Late', exact: true }).click()
  await save.click()
  await expect(group(page).getByText('Please enter whole minutes from 1 to 10080')).toBeVisible()
  await expect(group(page).getByLabel('minutes before')).toBeFocused()
  await group(page).getByLabel('minutes before').fill('45')
  await save.click()
  await expect(toast(page, 'Saved the alarms')).toBeVisible()
  await expect(save).toBeDisabled()
}

test('nearly late and late orders ring by the rules of the store, on both screens, until one of them takes notice, and not again after a reload', async ({
  openDesk,
  outside,
  dataDir,
  ownShop: shop,
}) => {
  const till = await openDesk(shop.owner)
  await saveRules(till)
  await till.reload()
  await expect(group(till).getByLabel('minutes before')).toHaveValue('45')
  await expect(group(till).getByRole('switch', { name: 'Late', exact: true })).toBeChecked()

  const other = await openDesk(shop.owner)
  await openOrders(other)
  const late = await outside.order(shop.key, scheduled(-5))
  const soon = await outside.order(shop.key, scheduled(40))
  await outside.order(shop.key, scheduled(60))
  await outside.order(shop.key, { delivery: { method: 'on_demand' } })
  await asOfOld(dataDir, shop)
  const words = [`#${late.id} is late`, `#${soon.id} is nearly late`]
  for (const desk of [till, other])
    for (const each of words) await expect(unnoticed(desk, each)).toBeVisible()
  await expect(till).toHaveTitle(/^\(2\) /)
  await till.getByRole('button', { name: 'Got it' }).click()
  for (const desk of [till, other]) await expect(unnoticed(desk, words[0] ?? '')).toHaveCount(0)
  await expect(unnoticed(other, words[1] ?? '')).toBeVisible()
  // A clerk that opens the order has noticed it.
  await unnoticed(other, words[1] ?? '').click()
  await expect(other).toHaveURL(new RegExp(`/orders/view/${soon.id}$`))
  for (const desk of [till, other]) await expect(unnoticed(desk, words[1] ?? '')).toHaveCount(0)
  await till.reload()
  await openOrders(till)
  await expect(till.getByRole('button', { name: /^(Got it|See them)$/ })).toHaveCount(0)
})

test('of many late orders the press leads to their list, and they count as seen there', async ({
  openDesk,
  outside,
  dataDir,
  ownShop: shop,
}) => {
  const till = await openDesk(shop.owner)
  await saveRules(till)
  for (const minutes of [-5, -10, -15]) await outside.order(shop.key, scheduled(minutes))
  await asOfOld(dataDir, shop)
  await expect(unnoticed(till, '3 late')).toBeVisible()
  await till.getByRole('button', { name: 'See them' }).click()
  await expect(till).toHaveURL(/\/orders\/active\?due=late$/)
  await expect(till.getByRole('row')).toHaveCount(4)
  await expect(unnoticed(till, '3 late')).toHaveCount(0)
})

/** Open for one minute of a day that is two days away, or all day on every day, at any hour. */
async function setHours(dataDir: string, shop: { key: string }, are: 'closed' | 'open'): Promise<void> {
  const days = Array.from({ length: 7 }, (_, ahead) =>
    new Date(Date.now() + ahead * 86_400_000)
      .toLocaleDateString('en-US', { weekday: 'long', timeZone: 'America/New_York' })
      .toLowerCase(),
  )
  const open = days.map((weekday) => ({ weekday, time_open: '00:00', time_close: '23:59' }))
  const closed = [{ weekday: days[2], time_open: '12:00', time_close: '12:01' }]
  const database = await openDatabase(dataDir)
  await database.query('update merchants set regular_hours = $2 where merchant_id = $1', [
    shop.key,
    JSON.stringify(are === 'open' ? open : closed),
  ])
  await database.end()
}

async function wantQuiet(page: Page): Promise<void> {
  await page.goto('/settings/alarms')
  await lateOrders(page).getByRole('switch', { name: 'Quiet outside the delivery hours' }).click()
  await lateOrders(page).getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Saved the alarms')).toBeVisible()
}

/** A page in the background, which notes each repeated sound and each notification that it would make. */
async function noteAlarms(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const made: string[] = []
    Object.assign(window, { made })
    const { start } = AudioBufferSourceNode.prototype
    AudioBufferSourceNode.prototype.start = function (...given) {
      if (this.loop) made.push('rings')
      return start.apply(this, given)
    }
    class NotedNotification extends EventTarget {
      static readonly permission = 'granted'
      constructor(title: string) {
        super()
        made.push(title)
      }
      close(): void {}
    }
    Object.assign(window, { Notification: NotedNotification })
    Object.defineProperty(document, 'hidden', { get: () => true })
    localStorage.setItem('cellarhand-alarm', JSON.stringify({ wish: 'on', notifies: true }))
  })
}
const made = (page: Page) => page.evaluate(() => (window as unknown as { made: string[] }).made)

test('the alarm is quiet while a store that wants it is closed, and the bell says so', async ({
  openDesk,
  dataDir,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await setHours(dataDir, shop, 'closed')
  await wantQuiet(page)
  await page.getByRole('button', { name: /^Order alarm: / }).click()
  const alarm = page.getByRole('dialog', { name: 'Order alarm' })
  await alarm.getByRole('button', { name: 'Turn on and test' }).click()
  await expect(alarm.getByText('It is quiet while the store is closed.')).toBeVisible()
  for (const name of ['Play nearly late', 'Play late'])
    await alarm.getByRole('button', { name, exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(
    page.getByRole('button', { name: 'Order alarm: quiet while the store is closed' }),
  ).toBeVisible()
})

test('an order that arrives while the store is closed makes no sound and no desktop notification; the opening tells their number in one, and later each has its own', async ({
  openDesk,
  outside,
  dataDir,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await setHours(dataDir, shop, 'closed')
  await noteAlarms(page)
  await wantQuiet(page)
  await openOrders(page)
  const bell = (words: string) => page.getByRole('button', { name: `Order alarm: ${words}` })
  // The browser plays sound from the first press on.
  await page.keyboard.press('Shift')
  await expect(bell('quiet while the store is closed')).toBeVisible()
  for (let count = 0; count < 2; count++) await outside.order(shop.key)
  await expect(unnoticed(page, '2 not seen yet')).toBeVisible()
  expect(await made(page)).toEqual([])

  await setHours(dataDir, shop, 'open')
  await expect(bell('on')).toBeVisible()
  // A melody begins anew when the oldest alarm has waited for some time.
  await expect
    .poll(async () => [...new Set(await made(page))].toSorted())
    .toEqual(['2 order alarms wait', 'rings'])
  const { id } = await outside.order(shop.key)
  await expect.poll(() => made(page)).toContain(`New order #${id}`)

  await page.evaluate(
    (until) => {
      const settings = JSON.stringify({ wish: 'on', notifies: true, mutedUntil: until })
      localStorage.setItem('cellarhand-alarm', settings)
      dispatchEvent(new StorageEvent('storage', { key: 'cellarhand-alarm' }))
    },
    Date.now() + 60 * minuteMs,
  )
  await expect(page.getByRole('button', { name: /^Order alarm: muted until / })).toBeVisible()
  const before = await made(page)
  await outside.order(shop.key)
  await expect(unnoticed(page, '4 not seen yet')).toBeVisible()
  expect(await made(page)).toEqual(before)
})
