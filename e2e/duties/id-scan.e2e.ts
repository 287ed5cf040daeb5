import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { drawPdf417 } from '../../server/test/papers/draw-pdf417.ts'
import { block, dialog, expect, openOrder, test } from '../desk.ts'
import { typeAsScanner } from '../fields.ts'
import { signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'
import { licence, openHandOver, secrets, typed, year } from './hand-over.ts'

test('a hand scanner reads a licence: the result is kept, and nothing else leaves the browser', async ({
  page,
  outside,
  url,
}) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const { deliver, stored } = await openHandOver({ page, outside, url })
  await deliver.getByRole('button', { name: 'Scan the ID' }).click()
  await expect(deliver.getByLabel('Hand scanner')).toBeFocused()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.insertText(typed(licence({})))
  const result = deliver.getByRole('status').filter({ hasText: '21' })
  await expect(result).toHaveText("Driver's license: 21 or over, not expired.")
  await expect(result).toBeFocused()
  // The scanner's last Enter presses nothing.
  await page.keyboard.press('Enter')
  await expect(deliver.getByLabel('Hand scanner')).toHaveCount(0)
  await expect(deliver.getByRole('button', { name: "Driver's license" })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(page.getByText('ID scanned: 21 or over, not expired')).toBeVisible()
  // The check is on screen after the first of two calls, the order is closed by the second.
  await expect(deliver).toHaveCount(0)
  const order = await stored()
  expect(order).toMatchObject({
    status: 'CLOSED',
    age_check: {
      result: 'passed',
      method: 'driver_license',
      reading: { how: 'scanned', is_over_21: true, is_expired: false },
    },
  })
  const kept = JSON.stringify(order) + sent.join('\n')
  expect(secrets.filter((secret) => kept.includes(secret))).toEqual([])
  expect(sent.filter((request) => request.includes('"is_over_21":true'))).toHaveLength(2)
})

test.describe('where a rule asks for a scan', () => {
  test('an ID that was only seen is not enough, no dates are typed, and the dialog leads to the scan', async ({
    openDesk,
    outside,
    ownShop,
    url,
  }) => {
    const { bearer } = await signIn(url, ownShop.owner)
    const reason = 'Our permit asks for it'
    const changed = { decision: 'changed', reason, value: { is_electronic: true } } as const
    await outside.decideRule(bearer, { merchant: ownShop.key, rule: 'TERMS-AGE', body: changed })
    const order = await outside.order(ownShop.key, { delivery: { method: 'on_demand' } })
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
    const page = await openDesk(ownShop.owner)
    await openOrder(page, order)
    await expect(page.getByText('The ID has to be scanned.')).toBeVisible()
    await page.getByRole('button', { name: 'Mark Delivered' }).first().click()
    const deliver = dialog(page, 'Deliver Order')
    await expect(deliver.getByText('Age checked, ID scanned')).toBeVisible()
    await deliver.getByRole('button', { name: 'Passport' }).click()
    await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
    await expect(deliver.getByRole('alert')).toHaveText(
      'A rule asks for a scan of the ID. Press Scan the ID, or NOT HANDED OVER.',
    )
    expect(await violationsOf(page)).toEqual([])
    const scan = deliver.getByRole('button', { name: 'Scan the ID' })
    await expect(scan).toBeFocused()
    await scan.click()
    await expect(deliver.getByRole('button', { name: 'Type the dates' })).toHaveCount(0)
    await deliver.getByLabel('Hand scanner').fill(typed(licence({})).slice(0, -30))
    await expect(deliver.getByText('Scan it again, or press NOT HANDED OVER.')).toBeVisible()
    await deliver.getByLabel('Hand scanner').fill(typed(licence({})))
    await expect(deliver.getByText("Driver's license: 21 or over, not expired.")).toBeVisible()
    await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
    await expect(deliver).toHaveCount(0)
    await expect(page.getByText('ID scanned: 21 or over, not expired')).toBeVisible()
  })
})

test('an under-age customer is told at once, and the only road is back to the store', async ({
  page,
  outside,
  url,
}) => {
  const { deliver, stored } = await openHandOver({ page, outside, url })
  await deliver.getByRole('button', { name: 'Scan the ID' }).click()
  await deliver.getByLabel('Hand scanner').fill(typed(licence({ DBB: `0131${year - 20}` })))
  await expect(
    deliver.getByText('Under 21. Do not hand the order over. Press NOT HANDED OVER.'),
  ).toBeVisible()
  await expect(deliver.getByRole('button', { name: 'MARK DELIVERED' })).toHaveCount(0)
  await expect(deliver.getByRole('button', { name: 'Passport' })).toHaveCount(0)
  expect(await violationsOf(page)).toEqual([])
  await deliver.getByRole('button', { name: 'NOT HANDED OVER' }).click()
  await expect(deliver.getByRole('button', { name: 'Under 21' })).toHaveAttribute('aria-pressed', 'true')
  await expect(deliver.getByText('ID scanned: under 21, not expired')).toBeVisible()
  await deliver.getByRole('button', { name: 'BRING BACK TO THE STORE' }).click()
  await expect(deliver).toHaveCount(0)
  const newest = block(page, 'History').getByRole('listitem').first()
  await expect(newest).toContainText('Not handed over: under 21')
  await expect(newest).toContainText('ID scanned: under 21, not expired')
  expect(await stored()).toMatchObject({
    status: 'MERCHANT_ACCEPTED',
    age_check: { result: 'refused', reason: 'under_21', reading: { is_over_21: false } },
  })

  // The fitting step comes first: not another try to deliver it.
  const first = page.locator('[data-commands]').getByRole('button', { name: 'Reject', exact: true }).first()
  await expect(first).toHaveAttribute('data-look', 'primary')
  await page.getByRole('button', { name: 'Reject the order' }).click()
  const reject = dialog(page, 'Reject Order')
  await expect(reject).toContainText(
    'Not handed over: under 21. The marketplace is told the restocking fee of $20',
  )
  await expect(reject.getByRole('radio', { name: 'Other' })).toBeChecked()
  await expect(reject.getByLabel('Reason')).toHaveValue('Not handed over: under 21')
  await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
  await expect(newest).toContainText('Rejected by ')
  await expect(newest).toContainText('Restocking fee told to the marketplace: $20.00')
  expect(await stored()).toMatchObject({
    status: 'MERCHANT_REJECTED',
    status_comment: 'Not handed over: under 21',
    restocking_fee: 20,
  })
})

test('an expired ID by its typed dates leads to the refusal; another ID may be checked', async ({
  page,
  outside,
  url,
}) => {
  const { deliver } = await openHandOver({ page, outside, url })
  await deliver.getByRole('button', { name: 'Scan the ID' }).click()
  await deliver.getByRole('button', { name: 'Type the dates' }).click()
  await deliver.getByRole('button', { name: 'Check the dates' }).click()
  await expect(deliver.getByText('Please write the date as MM/DD/YYYY')).toHaveCount(2)
  await deliver.getByLabel('Date of birth').fill('1/31/1985')
  await deliver.getByLabel('Expires').fill('01/31/2020')
  await deliver.getByRole('button', { name: 'Check the dates' }).click()
  await expect(deliver.getByText('ID: expired. Do not hand the order over.')).toBeVisible()
  await expect(deliver.getByRole('button', { name: 'MARK DELIVERED' })).toHaveCount(0)
  await deliver.getByRole('button', { name: 'Check another ID' }).click()
  await deliver.getByRole('button', { name: 'Type the dates' }).click()
  await deliver.getByLabel('Date of birth').fill('1/31/1985')
  await deliver.getByLabel('Expires').fill(`01/31/${year + 5}`)
  await deliver.getByRole('button', { name: 'Check the dates' }).click()
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(deliver.getByRole('alert')).toHaveText('Choose the kind of ID that was seen.')
  await deliver.getByRole('button', { name: 'Passport' }).click()
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(page.getByText('ID typed: 21 or over, not expired')).toBeVisible()
})

test('a text that is no licence, a broken one and a contradictory one say so and check nothing', async ({
  page,
  outside,
  url,
}) => {
  const { deliver } = await openHandOver({ page, outside, url })
  await deliver.getByRole('button', { name: 'Scan the ID' }).click()
  const scanner = deliver.getByLabel('Hand scanner')
  await scanner.fill('0123456789012\n')
  await expect(deliver.getByRole('alert')).toHaveText(/^This is not the barcode of a licence/)
  await scanner.fill(typed(licence({})).slice(0, -30))
  await expect(deliver.getByRole('alert')).toHaveText(/^The barcode was not read to its end/)
  await scanner.fill(typed(licence({ DBB: '13131985' })))
  await expect(deliver.getByRole('alert')).toHaveText(/^The dates on this card contradict/)
  await deliver.getByRole('button', { name: 'Do not scan' }).click()
  await expect(scanner).toHaveCount(0)
  await expect(deliver.getByRole('button', { pressed: true })).toHaveCount(0)
})

test('with the dialog open, wherever the focus is, one scan of the ID checks it and delivers; no field gets a character', async ({
  page,
  outside,
  url,
}) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const { deliver, stored } = await openHandOver({ page, outside, url })
  const date = deliver.getByLabel('Delivery date')
  await expect(date).toBeFocused()
  const before = await date.inputValue()
  // A broken one and a person's own @ come first: nothing is delivered by them.
  await typeAsScanner(page, typed(licence({})).slice(0, -30))
  await expect(deliver.getByRole('alert')).toHaveText(/^The barcode was not read to its end/)
  await expect(date).toHaveValue(before)
  await deliver.getByLabel('Signed by').pressSequentially('dee@')
  await expect(deliver.getByLabel('Signed by')).toHaveValue('dee@')
  expect((await stored()).status).toBe('MERCHANT_SHIPPED')
  await typeAsScanner(page, typed(licence({})))
  await expect(deliver).toHaveCount(0)
  await expect(page.getByText('ID scanned: 21 or over, not expired')).toBeVisible()
  const order = await stored()
  expect(order).toMatchObject({
    status: 'CLOSED',
    delivery_info: { signed_by: 'dee@' },
    age_check: { method: 'driver_license', reading: { how: 'scanned', is_over_21: true, is_expired: false } },
  })
  const kept = JSON.stringify(order) + sent.join('\n')
  expect(secrets.filter((secret) => kept.includes(secret))).toEqual([])
})

/** The order is out, and its page is open without the dialog. */
async function openOutOrder(given: Parameters<typeof openHandOver>[0]): ReturnType<typeof openHandOver> {
  const opened = await openHandOver(given)
  await given.page.keyboard.press('Escape')
  await expect(opened.deliver).toHaveCount(0)
  // Its part hears the scans.
  await given.page.getByRole('button', { name: 'Edit instructions' }).waitFor()
  return opened
}

test('an ID with another family name, scanned on the order’s page, waits for the press', async ({
  page,
  outside,
  url,
}) => {
  const { deliver, stored } = await openOutOrder({ page, outside, url })
  await typeAsScanner(page, typed(licence({ DCS: 'SOMEBODY' })))
  await expect(deliver.getByRole('alert')).toHaveText(
    'The name on this ID is not that of the order’s recipient. Compare them, then press MARK DELIVERED.',
  )
  await expect(deliver.getByText("Driver's license: 21 or over, not expired.")).toBeVisible()
  expect(await stored()).toMatchObject({ status: 'MERCHANT_SHIPPED' })
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(deliver).toHaveCount(0)
  await expect(page.getByText('ID scanned: 21 or over, not expired')).toBeVisible()
  expect(await stored()).toMatchObject({ status: 'CLOSED', age_check: { reading: { how: 'scanned' } } })
})

test('a scan whose hand-over a colleague took back is forgotten, and delivers at no later visit', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'member@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  let free = (): void => undefined
  const waiting = new Promise<void>((resolve) => (free = resolve))
  await page.route(/deliver-dialog.*\.js/, async (route) => {
    await waiting
    await route.continue()
  })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Edit instructions' }).waitFor()
  await typeAsScanner(page, typed(licence({})))
  await expect(page.getByRole('dialog')).toBeVisible()
  const isTold = page.waitForResponse(
    async (reply) =>
      reply.url().endsWith(`/orders/${order.id}`) &&
      ((await reply.json().catch(() => ({}))) as { status?: string }).status === 'MERCHANT_ACCEPTED',
  )
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    key: randomUUID(),
    body: { reason: 'no_valid_id', method: 'other_id', checked_by: 'Sam' },
  })
  await isTold
  free()
  const deliver = dialog(page, 'Deliver Order')
  await expect(deliver.getByRole('button', { name: 'OUT FOR DELIVERY' })).toBeVisible()
  // The form now comes with the scan still young: it is of the order before it came back.
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  await expect(deliver.getByLabel('Delivery date')).toBeVisible()
  await page.waitForTimeout(1000)
  const { status } = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order.id } })
  expect(status).toBe('MERCHANT_SHIPPED')
})

test('a second scan while the first one’s closing waits sends nothing more', async ({
  page,
  outside,
  url,
}) => {
  const { deliver, stored } = await openHandOver({ page, outside, url })
  await expect(deliver.getByLabel('Delivery date')).toBeFocused()
  const sent: string[] = []
  let free = (): void => undefined
  const waiting = new Promise<void>((resolve) => (free = resolve))
  await page.route(/\/orders\/[^/]+\/data$/, async (route) => {
    sent.push(route.request().url())
    await waiting
    await route.continue()
  })
  await typeAsScanner(page, typed(licence({})))
  await expect.poll(() => sent.length).toBe(1)
  await typeAsScanner(page, typed(licence({ DCS: 'SOMEBODY' })))
  await page.waitForTimeout(1000)
  await expect(deliver.getByRole('button', { name: 'CLOSE', exact: true })).toBeDisabled()
  await expect(deliver.getByRole('alert')).toHaveCount(0)
  free()
  await expect(deliver).toHaveCount(0)
  expect(sent).toHaveLength(1)
  expect(await stored()).toMatchObject({ status: 'CLOSED' })
})

test('a scan on the order’s page that says under 21 leads to the refusal and delivers nothing', async ({
  page,
  outside,
  url,
}) => {
  const { deliver, stored } = await openOutOrder({ page, outside, url })
  await typeAsScanner(page, typed(licence({ DBB: `0131${year - 20}` })))
  await expect(deliver.getByText('Under 21. Do not hand the order over.')).toBeVisible()
  await expect(deliver.getByRole('button', { name: 'MARK DELIVERED' })).toHaveCount(0)
  expect(await stored()).toMatchObject({ status: 'MERCHANT_SHIPPED' })
  // Another person's ID is another look, not a way round: it is scanned from the first step again.
  await deliver.getByRole('button', { name: 'NOT HANDED OVER' }).click()
  await typeAsScanner(page, typed(licence({})))
  await expect(deliver.getByRole('button', { name: 'Under 21' })).toHaveAttribute('aria-pressed', 'true')
  expect(await stored()).toMatchObject({ status: 'MERCHANT_SHIPPED' })
})

test('an ID that is scanned on the page of an order still in the shop does nothing', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'member@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Edit instructions' }).waitFor()
  const refused = page.getByText('This is not the code of a packing slip')
  // A code that has an answer. Half a second after another scan it is a scan of its own.
  const isHeard = () =>
    expect(async () => {
      await typeAsScanner(page, '++++++++++\n')
      await expect(refused.first()).toBeVisible({ timeout: 1_000 })
    }).toPass()
  // Until then the page may not listen.
  await isHeard()
  await page.getByRole('button', { name: 'Dismiss message' }).click()
  await expect(refused).toHaveCount(0)
  await typeAsScanner(page, typed(licence({})))
  await expect(refused).toHaveCount(0)
  await isHeard()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { status } = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order.id } })
  expect(status).toBe('MERCHANT_ACCEPTED')
})

/** A camera that films a PDF417 barcode. */
async function filmBarcode(page: Page, text: string): Promise<void> {
  await page.addInitScript(
    (barcode) => {
      navigator.mediaDevices.getUserMedia = async () => {
        const [dot, edge] = [4, 60]
        const canvas = document.createElement('canvas')
        canvas.width = barcode.width * dot + 2 * edge
        canvas.height = barcode.height * dot + 2 * edge
        const drawing = canvas.getContext('2d')
        if (!drawing) throw new Error('no canvas')
        const draw = (): void => {
          drawing.fillStyle = '#eee'
          drawing.fillRect(0, 0, canvas.width, canvas.height)
          drawing.fillStyle = '#222'
          for (const [at, colour] of barcode.dots.entries())
            if (colour === 0)
              drawing.fillRect(
                edge + (at % barcode.width) * dot,
                edge + Math.floor(at / barcode.width) * dot,
                dot,
                dot,
              )
          requestAnimationFrame(draw)
        }
        draw()
        return canvas.captureStream()
      }
    },
    await drawPdf417(text),
  )
}

test('the camera reads a licence, and is off afterwards', async ({ page, outside, url }) => {
  await filmBarcode(page, licence({}))
  const { deliver } = await openHandOver({ page, outside, url })
  await deliver.getByRole('button', { name: 'Scan the ID' }).click()
  await deliver.getByRole('button', { name: 'Use the camera' }).click()
  await expect(deliver.getByText("Driver's license: 21 or over, not expired.")).toBeVisible()
  await expect(deliver.locator('video')).toHaveCount(0)
})

test('without a camera the hand scanner stays', async ({ page, outside, url }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('Requested device not found', 'NotFoundError')
    }
  })
  const { deliver } = await openHandOver({ page, outside, url })
  await deliver.getByRole('button', { name: 'Scan the ID' }).click()
  await deliver.getByRole('button', { name: 'Use the camera' }).click()
  await expect(deliver.getByRole('alert')).toHaveText('This device has no camera.')
  await expect(deliver.getByLabel('Hand scanner')).toBeFocused()
})
