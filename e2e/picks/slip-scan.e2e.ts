import { toast, expect, openOrder, openOrders, test } from '../desk.ts'
import { signIn } from '../people.ts'

test('a scan of the slip opens its order from every page: one that came back from the door asks for the rejection first', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    body: { reason: 'no_valid_id', method: 'other_id', checked_by: 'Sam' },
  })
  const other = await outside.order('demo')
  const scan = async (code: string): Promise<void> => {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
  await page.goto('/inventory')
  await expect(async () => {
    // A page that has just been opened does not hear scans yet, or hears the end of one.
    await scan('++++++++++')
    await expect(toast(page, /^This is not the code of a packing slip/)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(page).toHaveURL(`${url}/inventory`)
  await scan('36000291452')
  await expect(page).toHaveURL(`${url}/inventory`)
  await scan(order.id)
  await expect(page).toHaveURL(`${url}/orders/view/${order.id}`)
  await expect(page.getByRole('button', { name: 'Reject', exact: true })).toHaveAttribute(
    'data-look',
    'primary',
  )
  // Where the page has a search, the scan goes there, and the only hit opens.
  await scan(other.id)
  await expect(page).toHaveURL(`${url}/orders/view/${other.id}`)
})

test('in a field a scan is text, and in a dialog it opens nothing', async ({ page, outside, url }) => {
  const [one, two] = [await outside.order('demo'), await outside.order('demo')]
  const isListening = page.waitForResponse((reply) => reply.url().includes('slip-scan'))
  await openOrder(page, one)
  await isListening
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Accept & Confirm' })).toBeVisible()
  await page.keyboard.type(two.id)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(`${url}/orders/view/${one.id}`)
  await openOrders(page)
  await page.keyboard.press('n')
  await page.keyboard.type(two.id)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Customer Name')).toHaveValue(two.id)
  await expect(page).toHaveURL(/\/orders\/active/)
})
