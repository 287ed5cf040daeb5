import type { Page } from '@playwright/test'
import { expect, openOrders, rowOf, test } from '../desk.ts'
import { pressAccept } from '../orders/deciding.ts'
import {
  LATE,
  buildKept,
  cutBand,
  deskRecord,
  keptDecisions,
  openKeptList,
  pressSignOut,
  shownKept,
  waitingList,
} from './on-device.ts'

test.use({ serviceWorkers: 'allow' })

const token = (page: Page) => page.evaluate(() => localStorage.getItem('jwt') ?? '')

const untold = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'The server could not be told yet' })
const told = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'The server has ended the session too.' })

/** What the server says of a session, asked past the cable. */
const sessionStatus = async (url: string, jwt: string) =>
  (await fetch(new URL('/a/v2/sessions', url), { headers: { authorization: `Bearer ${jwt}` } })).status

/** Everything that a script on this device can find. */
const stored = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
    ]),
  )

for (const [line, stop] of [
  ['cut', 'cut'],
  ['silent', 'hold'],
] as const) {
  test(`a sign-out on a ${line} line empties the device at once, says that the server could not be told, and tells it later`, async ({
    openDesk,
    outside,
    ownShop,
    cable,
    url,
  }) => {
    const order = await outside.order(ownShop.key)
    const page = await openDesk(ownShop.owner, { baseURL: cable.url })
    await openKeptList(page, () => outside.order(ownShop.key))
    const other = await page.context().newPage()
    await openOrders(other)
    const jwt = await token(page)
    cable[stop]()
    await pressSignOut(page)
    expect(await stored(page)).not.toContain(jwt)
    expect(await stored(page)).not.toContain('cellarhand-seal')
    await expect(page).toHaveURL(/\/login$/)
    await expect(untold(page)).toBeVisible()
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(page.locator('body')).not.toContainText(order.id)
    expect(await deskRecord(page)).toBe('')
    expect(await stored(page)).not.toContain(jwt)
    // The other page of the same browser is the same person's.
    await expect(other).toHaveURL(/\/login$/)
    await expect(other.getByLabel('Email')).toBeVisible()
    expect(await sessionStatus(url, jwt)).toBe(200)

    cable.mend()
    await expect(told(page)).toBeVisible(LATE)
    await expect(untold(page)).toHaveCount(0)
    expect(await sessionStatus(url, jwt)).toBe(401)
  })
}

type Moment = 'before the record is written' | 'before its secret is kept'

/**
 * From now on this page loses the processor at this moment of its next keeping, until another tab has ended the session.
 * The cookies say that it has stopped, and whether it wrote to the device after that.
 */
function stopAt(page: Page, moment: Moment): Promise<void> {
  return page.evaluate((wanted) => {
    const cookies = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') as PropertyDescriptor
    const readCookies = (): string => String(cookies.get?.call(document))
    let isDue = true
    const stop = (): void => {
      if (!isDue) return
      isDue = false
      cookies.set?.call(document, 'stopped=1')
      while (readCookies().includes('cellarhand-seal=')) continue
      // The other tab empties the store next.
      const until = performance.now() + 500
      while (performance.now() < until) continue
    }
    const { transaction } = IDBDatabase.prototype
    if (wanted === 'before the record is written')
      IDBDatabase.prototype.transaction = function (names, mode, options) {
        if (mode === 'readwrite') stop()
        return transaction.call(this, names, mode, options)
      }
    else
      Object.defineProperty(document, 'cookie', {
        get: readCookies,
        set: (value: string) => {
          if (value.startsWith('cellarhand-seal=')) stop()
          cookies.set?.call(document, value)
        },
      })
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (value: unknown, name) {
      if (!isDue && !readCookies().includes('tmk=')) document.cookie = 'wrote=1'
      return put.call(this, value, name)
    }
  }, moment)
}

for (const moment of ['before the record is written', 'before its secret is kept'] as const) {
  test(`another tab that loses the processor ${moment} writes nothing after the sign-out`, async ({
    openDesk,
    outside,
    ownShop,
    cable,
  }) => {
    const page = await openDesk(ownShop.owner, { baseURL: cable.url })
    await openKeptList(page, () => outside.order(ownShop.key))
    const other = await page.context().newPage()
    await openOrders(other)
    await shownKept(other, () => outside.order(ownShop.key))
    await stopAt(other, moment)
    const cookie = async (name: string) =>
      (await page.context().cookies()).find((each) => each.name === name)?.value
    await outside.order(ownShop.key)
    await expect.poll(() => cookie('stopped'), LATE).toBe('1')
    await pressSignOut(page)
    await expect(other.getByLabel('Email')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeVisible()
    expect(await cookie('wrote')).toBeUndefined()
    expect(await cookie('cellarhand-seal')).toBeUndefined()
    expect(await deskRecord(page)).toBe('')
  })
}

test('a page opened without a line signs out in the same way, and the next person’s session is not ended with it', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrders(page)
  await buildKept(page)
  await shownKept(page, () => outside.order(ownShop.key))
  const first = await token(page)
  cable.cut()
  await page.reload()
  await expect(cutBand(page)).toBeVisible()
  await pressSignOut(page)
  await expect(untold(page)).toBeVisible()
  cable.mend()
  // The person signs in before the page has told the server.
  await page.getByLabel('Email').fill(ownShop.owner)
  await page.getByRole('textbox', { name: 'Password' }).fill('cellarhand-demo')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  await expect.poll(() => sessionStatus(url, first), LATE).toBe(401)
  expect(await sessionStatus(url, await token(page))).toBe(200)
})

test('a sign-out leaves of the decisions on the device only those that were not sent', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const [first, second] = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  const acceptWithoutLine = async (order: { id: string }): Promise<void> => {
    cable.cut()
    await page.goto('/orders/active')
    await expect(cutBand(page)).toBeVisible()
    await rowOf(page, order)
      .getByRole('button', { name: `Accept #${order.id}` })
      .click()
    await pressAccept(page)
    await expect(waitingList(page)).toContainText(`Accept #${order.id}`)
  }
  const done = { orderId: first.id, state: 'done' }
  const waiting = { orderId: second.id, state: 'waiting' }
  await acceptWithoutLine(first)
  cable.mend()
  await expect(waitingList(page, 'Sent after the cut')).toContainText('1 of 1', LATE)
  await shownKept(page, () => outside.order(ownShop.key))
  await acceptWithoutLine(second)
  expect(await keptDecisions(page)).toEqual([done, waiting])
  await pressSignOut(page)
  await expect(untold(page)).toBeVisible()
  await expect.poll(() => keptDecisions(page)).toEqual([waiting])

  cable.mend()
  await page.getByLabel('Email').fill(ownShop.owner)
  await page.getByRole('textbox', { name: 'Password' }).fill('cellarhand-demo')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(waitingList(page, 'Sent after the cut')).toContainText('1 of 1', LATE)
  expect(await keptDecisions(page)).toEqual([{ ...waiting, state: 'done' }])
  // With a line, a new page follows, which would cut off what the page before has not finished.
  const isNew = page.waitForEvent('domcontentloaded')
  await pressSignOut(page)
  await isNew
  await expect(page.getByLabel('Email')).toBeVisible()
  expect(await keptDecisions(page)).toEqual([])
})
