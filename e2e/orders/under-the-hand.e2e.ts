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
  // A device that writes slowly: the page is told the answer, and ends before the device forgets the call.
  await page.evaluate(() => {
    const request = navigator.locks.request.bind(navigator.locks) as (...given: unknown[]) => Promise<unknown>
    let calls = 0
    const late = async (...given: unknown[]): Promise<unknown> => {
      if (given[0] === 'cellarhand-decisions' && calls++ > 0)
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      return request(...given)
    }
    Object.assign(navigator.locks, { request: late })
  })
  await askToAccept(page)
  await pressAccept(page)
  const isKept = () => page.evaluate(async () => (await navigator.locks.query()).held?.length)
  await expect.poll(async () => (await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
  // Only the mark of the call is left; the device has written the call itself.
  await expect.poll(isKept).toBe(1)
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
