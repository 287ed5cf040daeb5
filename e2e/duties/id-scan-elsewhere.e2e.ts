import { expect, openOrder, test } from '../desk.ts'
import { typeAsScanner } from '../fields.ts'
import { licence, openHandOver, secrets, typed } from './hand-over.ts'

test('an ID scanned before the page has all its parts opens no search, and nothing of it is sent', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo')
  // The part that hears the scans of slips.
  await page.route('**/assets/idle-*', (route) => route.abort())
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await openOrder(page, order)
  const before = page.url()
  await typeAsScanner(page, typed(licence({})))
  // A search asks after a shorter pause; after this one, a digit is an order's again.
  await page.waitForTimeout(600)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByLabel('Order #')).toHaveValue('')
  await expect(page.getByLabel('Order #')).not.toBeFocused()
  expect(page.url()).toBe(before)
  expect(secrets.filter((secret) => sent.join('\n').includes(secret))).toEqual([])
  await page.keyboard.press('7')
  await expect(page.getByLabel('Order #')).toHaveValue('7')
})

test('an ID scanned over NOT HANDED OVER gets into no note and brings nothing back; BACK leads to the check', async ({
  page,
  outside,
  url,
}) => {
  const { deliver, stored } = await openHandOver({ page, outside, url })
  await deliver.getByRole('button', { name: 'NOT HANDED OVER' }).click()
  await deliver.getByRole('button', { name: 'Nobody there' }).click()
  await deliver.getByLabel('Note (optional)').focus()
  await page.keyboard.type('Rang twice. ')
  await typeAsScanner(page, typed(licence({})))
  await expect(deliver.getByRole('alert')).toHaveText(/^An ID was scanned, and nothing of it was read here\./)
  await expect(deliver.getByLabel('Note (optional)')).toHaveValue('Rang twice. ')
  expect(await stored()).toMatchObject({ status: 'MERCHANT_SHIPPED' })
  await deliver.getByRole('button', { name: 'BACK', exact: true }).click()
  await expect(deliver.getByLabel('Delivery date')).toBeVisible()
})

test('what a person types with an @ at its start gets into the note, whole', async ({
  page,
  outside,
  url,
}) => {
  const { deliver } = await openHandOver({ page, outside, url })
  await deliver.getByRole('button', { name: 'NOT HANDED OVER' }).click()
  const note = deliver.getByLabel('Note (optional)')
  await note.focus()
  await page.keyboard.type('@ Maria: the customer calls laterr', { delay: 130 })
  await page.keyboard.press('Backspace')
  await page.keyboard.type('.')
  await expect(note).toHaveValue('@ Maria: the customer calls later.')
  await expect(deliver.getByRole('alert')).toHaveCount(0)
})

test('until the rules of an order are known, a press on MARK DELIVERED waits, and is not lost', async ({
  page,
  outside,
  url,
}) => {
  let free = (): void => undefined
  const waiting = new Promise<void>((resolve) => (free = resolve))
  await page.route(/\/orders\/[^/]+\/duties/, async (route) => {
    await waiting
    await route.continue()
  })
  const { deliver } = await openHandOver({ page, outside, url })
  await expect(deliver.getByLabel('Delivery date')).toBeFocused()
  await deliver.getByRole('button', { name: 'Passport' }).click()
  const mark = deliver.getByRole('button', { name: 'MARK DELIVERED' })
  await mark.press('Enter')
  await expect(mark).toHaveAttribute('aria-busy', 'true')
  free()
  await expect(deliver).toHaveCount(0)
})
