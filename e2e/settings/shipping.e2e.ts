import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { labelErrors } from '@cellarhand/contract/label-errors'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import { sentinelAddresses } from '../../server/src/shipping/port/sentinel-addresses.ts'
import { anItem, anOrder } from '../../server/test/orders.ts'
import { openBadGateway } from '../servers/bad-gateway.ts'
import { openDatabase } from '../database.ts'
import { dialog, expect, followToOrder, openOrder, test, toast } from '../desk.ts'
import { printed } from '../faults.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import { emptyInDialog } from '../fields.ts'
import { runUntil, stopTime } from '../page-time.ts'

async function accepted(outside: Outside, url: string, changes: Partial<NewOrder> = {}) {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', changes)
  return { bearer, order: await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' }) }
}

async function openLabels(page: Page, order: { id: string }) {
  await openOrder(page, order)
  return chooseLabels(page)
}

async function chooseLabels(page: Page) {
  await page.getByRole('button', { name: 'Create Shipping Label' }).filter({ visible: true }).first().click()
  return dialog(page, 'Create Shipping Label')
}

const to = (street_1: string, phone_number: string | null = '+15185550123') => ({
  recipient: { ...anOrder('x').recipient, street_1, city: 'Albany', zipcode: '12207', phone_number },
})
/** A clerk at another till buys the label. */
const buyBy = (outside: Outside, as: string, id: string) =>
  outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as,
    params: { tmk: 'demo', id },
    body: { order_id: id, boxes: [{ weight: 3 }] },
  })

const three = { items: [anItem({ quantity: 3, subtotal: 156 })], order_weight: 10 }
const weights = (labels: ReturnType<typeof dialog>) => labels.getByLabel('Weight (lbs)')

test.describe('shipping labels', () => {
  test('GEN-017 SHIP-001 SHIP-002 SHIP-003 SHIP-005 SHIP-006 SHIP-007 SHIP-008 SHIP-009 ERR-019 boxes are split evenly, bought with one press, printed and shipped @prints', async ({
    page,
    outside,
    url,
  }) => {
    const { order } = await accepted(outside, url, three)
    const labels = await openLabels(page, order)
    await expect(weights(labels)).toHaveValue('10')
    await expect(labels.getByText('$5,000.00')).toBeVisible()
    await expect(labels.getByRole('link', { name: 'Adjust label size and format' })).toHaveAttribute(
      'href',
      '/settings/carrier',
    )
    await expect(labels.getByRole('button', { name: 'CLOSE', exact: true })).toBeVisible()
    const add = labels.getByRole('button', { name: 'Add Additional Box' })
    await add.click()
    await add.click()
    for (const [index, weight] of ['3.33', '3.33', '3.34'].entries())
      await expect(weights(labels).nth(index)).toHaveValue(weight)
    await expect(add).toBeDisabled()
    await expect(labels.getByRole('button', { name: 'Remove box 1' })).toHaveCount(0)
    await labels.getByRole('button', { name: 'Remove box 3' }).click()
    // The last box goes with its bin, and the keys stay in the dialog.
    await expect(add).toBeFocused()
    await expect(weights(labels).nth(1)).toHaveValue('5')
    await labels.getByLabel('Declared value ($)').first().fill('120.50')
    await labels.getByLabel('Declared value ($)').nth(1).fill('0')
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/shipping_labels'),
    )
    await labels.getByRole('button', { name: 'PRINT', exact: true }).click()
    expect((await sent).postDataJSON()).toEqual({
      order_id: order.id,
      boxes: [{ weight: 5, insurance: 120.5 }, { weight: 5 }],
    })
    await expect(toast(page, 'Shipping label created successfully!')).toBeVisible()
    await expect(printed(page)).toHaveAttribute(
      'src',
      /\/m\/v2\/merchant\/demo\/shipping_labels\/[0-9a-f-]{36}-0\?expires=\d+&signature=/,
    )
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByText('Shipping labels bought')).toBeVisible()
    await expect(page.getByRole('link', { name: /^7\d{11} / })).toHaveCount(2)
  })

  test('SHIP-004 SHIP-006 VALID-014 VALID-015 VALID-016 VALID-017 VALID-018 VALID-019 VALID-020 VALID-021 an order of one bottle has no second box; each bad value shows its message at its field, and the first field gets the focus', async ({
    page,
    outside,
    url,
  }) => {
    const { order } = await accepted(outside, url)
    const labels = await openLabels(page, order)
    const weight = weights(labels)
    await expect(weight).toBeVisible()
    await expect(labels.getByRole('button', { name: 'Add Additional Box' })).toHaveCount(0)
    const value = labels.getByLabel('Declared value ($)')
    for (const [typed, declared, ...said] of [
      ['', '', 'Please enter the weight.'],
      ['0', '-1', 'Min value is 0.01', 'Min value is 0.'],
      ['1000000', '5000', 'Max value is 999999', 'Max value is 4999.99'],
      ['ten', 'much', 'Only numbers are accepted.'],
    ] as const) {
      await weight.fill(typed)
      await value.fill(declared)
      await labels.getByRole('button', { name: 'PRINT', exact: true }).click()
      for (const text of said) await expect(labels.getByText(text, { exact: true }).first()).toBeVisible()
      await expect(weight).toBeFocused()
    }
    await weight.fill('4')
    await emptyInDialog(value)
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/shipping_labels'),
    )
    await labels.getByRole('button', { name: 'PRINT', exact: true }).click()
    expect((await sent).postDataJSON()).toEqual({ order_id: order.id, boxes: [{ weight: 4 }] })
    await expect(toast(page, 'Shipping label created successfully!')).toBeVisible()
  })

  test('ERR-008 ERR-009 ERR-010 ERR-011 ERR-012 ERR-013 ERR-014 ERR-015 ERR-017 ERR-018 every label error shows its own words, and the tenth brings the apology', async ({
    page,
    outside,
    url,
    context,
  }) => {
    const failing = sentinelAddresses.filter(({ code }) => !['answer_lost', 'no_file'].includes(code))
    expect(failing).toHaveLength(10)
    // The failure with the carrier's own words goes first, so that the tenth is a known one.
    const rest = failing.toReversed()
    for (const [index, { code, place, phone }] of rest.entries()) {
      const { order } = await accepted(outside, url, to(place.street_1, phone === null ? null : undefined))
      await (index === 0 ? openOrder : followToOrder)(page, order)
      const labels = await chooseLabels(page)
      await weights(labels).fill('4')
      await labels.getByRole('button', { name: 'PRINT', exact: true }).click()
      const isLast = index === rest.length - 1
      const own = labelErrors[code as keyof typeof labelErrors]
      await expect(labels.getByRole('alert')).toHaveText(
        isLast
          ? 'We apologize for the inconvenience. Please contact your Sales Associate to resolve ongoing issues.'
          : (own ?? 'FedEx: The package exceeds the weight limit of 150 lbs.'),
      )
      await expect(weights(labels)).toHaveValue('4')
      await labels.getByRole('button', { name: 'CLOSE', exact: true }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    const cookie = (await context.cookies()).find(({ name }) => name === 'label_errors')
    expect(cookie?.value.split('.')).toHaveLength(10)
  })
})

test('ERR-016 an answer that nobody foresaw says so in general words, and the boxes stay', async ({
  openDesk,
  outside,
  url,
}) => {
  const gateway = await openBadGateway(url, 502)
  try {
    const { order } = await accepted(outside, url)
    const page = await openDesk('manager@demo.test', { baseURL: gateway.url })
    const labels = await openLabels(page, order)
    await weights(labels).fill('4')
    gateway.fail(`POST /m/v2/merchant/demo/orders/${order.id}/shipping_labels`)
    await labels.getByRole('button', { name: 'PRINT', exact: true }).click()
    await expect(labels.getByRole('alert')).toHaveText('An error occurred, please contact Thirstie Support.')
    await expect(weights(labels)).toHaveValue('4')
    await page.close()
  } finally {
    await gateway.remove()
  }
})

test.describe('bought labels', () => {
  test('SHIP-010 SHIP-011 GAP-121 labels are printed again, and the clerk reads it when there are none or a file is missing @prints', async ({
    page,
    outside,
    url,
  }) => {
    const { order, bearer } = await accepted(outside, url)
    await outside.update(bearer, order, {
      status: 'MERCHANT_SHIPPED',
      order: { tracking_provider: 'FedEx', tracking_id: '794699990077' },
    })
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Print Labels' }).click()
    await expect(toast(page, 'There are no shipping labels to be printed.')).toBeVisible()

    const bought = async (street: string) => {
      const { order: next } = await accepted(outside, url, to(street))
      await buyBy(outside, bearer, next.id)
      await followToOrder(page, next)
      await page.getByRole('button', { name: 'Print Labels' }).click()
    }
    await bought('204 No Paper Road')
    await expect(
      toast(page, 'Label is unavailable. Please contact your Thirstie Sales Associate.'),
    ).toBeVisible()
    await bought('118 State Street')
    await expect(printed(page)).toHaveAttribute('src', /signature=/)
  })

  test('a press on Print Labels while they are first fetched prints them once they are there @prints', async ({
    page,
    outside,
    url,
  }) => {
    const { order, bearer } = await accepted(outside, url)
    await buyBy(outside, bearer, order.id)
    const answered = Promise.withResolvers<void>()
    await page.route('**/shipping_labels', async (route) => {
      await answered.promise
      await route.continue()
    })
    await openOrder(page, order)
    const print = page.getByRole('button', { name: 'Print Labels' })
    await print.press('Enter')
    await expect(print).toHaveAttribute('aria-busy', 'true')
    answered.resolve()
    await expect(printed(page)).toHaveAttribute('src', /signature=/)
    await expect(print).not.toHaveAttribute('aria-busy', 'true')
  })

  test('T31 labels are voided, and the order ships again', async ({ page, outside, url }) => {
    const { order, bearer } = await accepted(outside, url)
    await buyBy(outside, bearer, order.id)
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Void Labels' }).click()
    const voiding = dialog(page, 'Void Shipping Labels')
    await expect(voiding.getByRole('button', { name: 'CLOSE', exact: true })).toBeFocused()
    await voiding.getByRole('button', { name: 'VOID LABELS' }).click()
    await expect(toast(page, /^Shipping labels voided/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create Shipping Label' }).first()).toBeVisible()
  })

  test('T31 a parcel delivered while its label is voided: the clerk reads that the label is void, and that the order stays completed', async ({
    page,
    outside,
    url,
    dataDir,
  }) => {
    const { order, bearer } = await accepted(outside, url)
    const { data } = await buyBy(outside, bearer, order.id)
    const code = data[0]?.tracking_code ?? ''
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Void Labels' }).click()
    // While this lock holds, nobody can write the carrier's records.
    const database = await openDatabase(dataDir)
    await database.query('begin')
    await database.query('select 1 from sandbox_parcels where tracking_code = $1 for update', [code])
    await dialog(page, 'Void Shipping Labels').getByRole('button', { name: 'VOID LABELS' }).click()
    await expect
      .poll(async () => {
        const found = await database.query<{ state: string }>(
          'select state from label_purchases where order_id = $1',
          [order.id],
        )
        return found.rows[0]?.state
      })
      .toBe('voiding')
    await outside.carrier(order, 'delivered', code)
    await database.query('rollback')
    await database.end()
    await expect(
      toast(
        page,
        'Shipping labels voided and refunded. The order moved on meanwhile and stays as it is: Completed.',
      ),
    ).toBeVisible()
    const closed = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order.id } })
    expect([closed.status, closed.shipment_info, closed.tracking_id]).toEqual(['CLOSED', [], null])
    await openOrder(page, order)
    await expect(page.getByText('Shipping labels voided').filter({ visible: true }).first()).toBeVisible()
  })

  test('T32 a mistyped tracking number is corrected', async ({ page, outside, url }) => {
    const { order, bearer } = await accepted(outside, url)
    await outside.update(bearer, order, {
      status: 'MERCHANT_SHIPPED',
      order: { tracking_provider: 'FedEx', tracking_id: '794699990088' },
    })
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Correct Tracking' }).click()
    const correct = dialog(page, 'Correct Tracking')
    await correct.getByLabel('Tracking number').fill('794699990099')
    await correct.getByRole('button', { name: 'SAVE', exact: true }).click()
    await expect(page.getByRole('link', { name: /^794699990099/ })).toBeVisible()
    await expect(page.getByText('Tracking corrected')).toBeVisible()
  })
})

test.describe('the carrier account', () => {
  test('GEN-026 ROUTE-027 CARR-001 CARR-002 CARR-003 CARR-004 CARR-005 GAP-129 GAP-167 GAP-169 connected, refused, changed and disconnected', async ({
    openDesk,
    shop,
  }) => {
    const page = await openDesk(shop.owner)
    await page.clock.install()
    await page.goto('/settings/carrier')
    await expect(page.getByRole('heading', { level: 1, name: 'Carrier Account' })).toBeVisible()
    const partner = page.getByRole('complementary', { name: /purchasing group/ })
    await expect(partner.getByRole('link')).toHaveAttribute('href', 'https://example.com/group-rates')
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    await page.getByLabel('Carrier', { exact: true }).selectOption('UPS')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Please enter your account number')).toBeVisible()
    await expect(page.getByText('Please enter your account zip')).toBeVisible()
    await page.getByLabel('Account number').fill('A0000')
    await page.getByLabel('Account ZIP').fill('10004')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText("Changes weren't saved.")
    await page.getByLabel('Account number').fill('A1B2C3')
    await page.getByRole('radio', { name: '8.5x11' }).check()
    await expect(page.getByRole('img', { name: /letter page/ })).toBeVisible()
    // However slow the machine is, the word is not gone before the test has looked.
    await stopTime(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const saved = page.getByRole('status').getByText('Saved', { exact: true })
    await runUntil(page, () => expect(saved).toBeVisible({ timeout: 200 }), 20)
    const layer = () => page.evaluate(() => (globalThis as { dataLayer?: object[] }).dataLayer ?? [])
    // Once: the refused save before it is none. The number of the account is not said.
    await expect
      .poll(async () => (await layer()).filter((each) => JSON.stringify(each).includes('Carrier Account')))
      .toEqual([{ event: 'Save Carrier Account' }])
    await page.clock.runFor(3_000)
    await expect(saved).toBeVisible()
    await page.clock.runFor(6_000)
    await expect(saved).toHaveCount(0)
    await page.clock.resume()
    await page.reload()
    await expect(page.getByLabel('Account number')).toHaveAttribute('placeholder', 'Ends in B2C3')
    await expect(page.getByRole('radio', { name: '8.5x11' })).toBeChecked()
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await dialog(page, 'Disconnect the carrier account?').getByRole('button', { name: 'DISCONNECT' }).click()
    await expect(page.getByRole('button', { name: 'Disconnect' })).toHaveCount(0)
    await expect(page.getByLabel('Carrier', { exact: true })).toHaveValue('')
  })

  test('labels for a label printer are 4 by 6 inches, and are saved as a file instead of printed', async ({
    openDesk,
    ownShop: shop,
    outside,
    url,
  }) => {
    const page = await openDesk(shop.owner)
    await page.goto('/settings/carrier')
    await page.getByLabel('Carrier', { exact: true }).selectOption('UPS')
    await page.getByLabel('Account number').fill('A1B2C3')
    await page.getByLabel('Account ZIP').fill('10004')
    await page.getByRole('radio', { name: '8.5x11' }).check()
    await page.getByRole('radio', { name: 'ZPL, for label printers' }).check()
    await expect(page.getByRole('radio', { name: '4x6' })).toBeChecked()
    await expect(page.getByRole('radio', { name: '8.5x11' })).toBeDisabled()
    await expect(page.getByText('saved as a file to send to that printer')).toBeVisible()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible()

    const { bearer } = await signIn(url, shop.owner)
    const sent = await outside.order(shop.key, three)
    const order = await outside.update(bearer, sent, { status: 'MERCHANT_ACCEPTED' })
    const labels = await openLabels(page, order)
    await labels.getByRole('button', { name: 'Add Additional Box' }).click()
    const saving = page.waitForEvent('download')
    await labels.getByRole('button', { name: 'PRINT', exact: true }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe(`labels-${order.id}.zpl`)
    await expect(toast(page, `Saved as labels-${order.id}.zpl`)).toBeVisible()
    await expect(toast(page, 'Send this file to your label printer.')).toBeVisible()
    expect((await readFile(await saved.path(), 'utf8')).match(/\^XA[^]+?\^XZ/g)).toHaveLength(2)
    await expect(printed(page)).toHaveCount(0)
  })
})
