import { DECISIONS_LOCK as LOCK } from '../../web/src/lib/kept/not-sent.ts'
import { expect, openOrder, test, toast } from '../desk.ts'
import { followPlaces } from '../offline/places.ts'
import { signIn } from '../people.ts'
import { actions, askToAccept, pressAccept, stored } from './deciding.ts'

test('the buttons of an order keep their place when those of its documents come late', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo')
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const places = await followPlaces(page, 'Reject')
  let release = (): void => undefined
  const wait = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/documents-part-*', async (route) => {
    await wait
    await route.continue()
  })
  await openOrder(page, order)
  await expect(page.getByRole('button', { name: 'Reject' }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print Receipt' })).toHaveCount(0)
  release()
  await expect(page.getByRole('button', { name: 'Print Receipt' })).toBeVisible()
  expect(await places()).toHaveLength(1)
})

test('a page opened right after a press leaves its buttons in place while it ends the call of the page before', async ({
  page,
  outside,
  url,
}) => {
  const order = await outside.order('demo')
  await openOrder(page, order)
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  // A device that writes slowly: the page keeps the call and is told the answer, and ends before the device forgets it.
  await page.evaluate((name) => {
    const request = navigator.locks.request.bind(navigator.locks) as (...given: unknown[]) => Promise<unknown>
    let own: 'before' | 'at the press' | 'kept' = 'before'
    const late = (...given: unknown[]): Promise<unknown> => {
      const wanted = String(given[0])
      // The page may also look through what waits, and must not hold the lock of that when it ends.
      if (own === 'kept' && [name, `${name} sender`].includes(wanted)) return new Promise(() => undefined)
      if (own === 'at the press' && wanted === name) own = 'kept'
      if (own === 'before' && wanted.startsWith(`${name} `)) own = 'at the press'
      return request(...given)
    }
    Object.assign(navigator.locks, { request: late })
  }, LOCK)
  await askToAccept(page)
  await pressAccept(page)
  const held = () =>
    page.evaluate(async (name) => {
      const { held: all = [] } = await navigator.locks.query()
      return all.filter((each) => each.name?.startsWith(name)).length
    }, LOCK)
  await expect.poll(async () => (await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
  // Only the mark of the call is left; the device has written the call itself.
  await expect.poll(held).toBe(1)
  const places = await followPlaces(page, 'Reject')
  // A usual line is not known to be there before the page has looked at what waits.
  await page.route('**/events', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await openOrder(page, order)
  await expect(toast(page, `Order #${order.id} was updated successfully!`)).toBeVisible()
  expect(await places()).toHaveLength(1)
  await expect(page.getByRole('region', { name: /Not sent yet|after the cut/ })).toHaveCount(0)
  expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
})
