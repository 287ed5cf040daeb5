import type { Page } from '@playwright/test'
import { bottles } from './bottles.ts'
import { block, expect, openOrder, rowOf, tabLink, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { dialogTakesKeys } from '../fields.ts'

const recipient = (page: Page) => block(page, 'Recipient, customer and delivery')
const products = (page: Page) => block(page, 'Products')

test('VIEW-006 VIEW-007 VIEW-008 VIEW-009 the bottles show large, one after another', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo', { items: bottles, transaction: { subtotal: 20, total: 20 } })
  await openOrder(page, order)
  const opener = page.getByRole('button', { name: 'Show Smaragd large' })
  await opener.click()
  const preview = (name: string) => page.getByRole('dialog', { name, exact: true })
  const picture = preview('Smaragd').getByRole('img', { name: 'Smaragd' })
  await expect(picture).toHaveAttribute('src', '/images/bottles/white-0-380x490.svg')
  const natural = () =>
    picture.evaluate((image) => {
      const { naturalWidth, naturalHeight, offsetWidth, offsetHeight } = image as HTMLImageElement
      const zoom = image.getBoundingClientRect().width / offsetWidth
      return { naturalWidth, naturalHeight, offsetWidth, offsetHeight, zoom }
    })
  await expect
    .poll(natural)
    .toMatchObject({ naturalWidth: 380, naturalHeight: 490, offsetWidth: 380, offsetHeight: 490, zoom: 1 })
  await preview('Smaragd').getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(async () => (await natural()).zoom).toBeCloseTo(1.5)
  const scrolled = (to: number) =>
    preview('Smaragd')
      .getByRole('button', { name: 'Zoom out' })
      .evaluate((box, by) => {
        box.scrollBy(by, by)
        const [frame, image] = [box, box.querySelector('img')].map((each) => each?.getBoundingClientRect())
        return {
          left: (image?.left ?? 0) - (frame?.left ?? 0),
          right: (image?.right ?? 0) - (frame?.right ?? 0),
        }
      }, to)
  // From corner to corner, so that no part of the label stays out of sight.
  expect((await scrolled(-1_000)).left).toBeCloseTo(0, 0)
  expect((await scrolled(1_000)).right).toBeCloseTo(0, 0)
  await preview('Smaragd').getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(async () => (await natural()).zoom).toBe(1)
  await preview('Smaragd').getByRole('button', { name: 'Next' }).click()
  await expect(preview('Bourbon').getByText('2 of 2')).toBeVisible()
  await preview('Bourbon').getByRole('button', { name: 'Previous' }).click()
  await expect(preview('Smaragd')).toBeVisible()
  await dialogTakesKeys(page)
  await page.keyboard.press('ArrowLeft')
  await expect(preview('Bourbon')).toBeVisible()
  await preview('Bourbon').getByRole('button', { name: 'Go Back' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('VIEW-004 VIEW-011 the map of the address is fetched in its size, and says that it loads until then', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const first = await outside.order(ownShop.key)
  // The map of another address, because the browser would have this one already.
  const recipientElsewhere = { ...first.recipient, street_1: '9 Wall St' }
  const order = await outside.order(ownShop.key, { recipient: recipientElsewhere })
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrder(page, first)
  await expect(recipient(page).getByRole('img', { name: /^Map of 118 Pearl St/ })).toBeVisible()
  await tabLink(page, 'Active').click()
  await expect(rowOf(page, order)).toBeVisible()
  cable.holdAnswers()
  const asked = page.waitForRequest((request) => request.url().includes('/maps/static'))
  await page.getByRole('link', { name: `#${order.id}`, exact: true }).click()
  const { searchParams } = new URL((await asked).url())
  expect(Object.fromEntries(searchParams)).toEqual({
    center: '9 Wall St, New York, NY 10005',
    zoom: '16',
    size: '640x480',
  })
  await expect(recipient(page).getByText('Loading the map')).toBeAttached()
  cable.mend()
  await expect(recipient(page).getByRole('img', { name: /^Map of 9 Wall St/ })).toBeVisible()
  await expect(recipient(page).getByText('Loading the map')).toHaveCount(0)
})

test('VIEW-018 VIEW-019 a bottle at the distributor says so, by the answer of the offerings call', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'member@demo.test')
  const { items } = await outside.call('GET /c/v2/merchants/{tmk}/offerings', {
    as: bearer,
    params: { tmk: 'demo' },
  })
  const kept = items.find((offering) => offering.stock_behavior === 'NextDay')?.id ?? ''
  const here = items.find((offering) => offering.stock_behavior === null)?.id ?? ''
  // The marketplace's own flag on the line does not count.
  const order = await outside.order('demo', {
    items: bottles.map((item, index) => ({
      ...item,
      offering: { id: [kept, here][index] ?? '', stock_behaviour: index === 0 ? null : 'NextDay' },
    })),
    transaction: { subtotal: 20, total: 20 },
  })
  const asked = page.waitForResponse((reply) => reply.url().includes(`filter%5Bid%5D=${here}`))
  await openOrder(page, order)
  await asked
  const icon = (name: string) =>
    products(page).getByRole('row').filter({ hasText: name }).getByRole('img', { name: 'At distributor' })
  await expect(icon('Smaragd')).toBeVisible()
  await expect(icon('Bourbon')).toHaveCount(0)
})
