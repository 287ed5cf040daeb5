import { actions, askToAccept, next, option, pressAccept, stored, twoBottles } from './deciding.ts'
import { dialog, expect, openOrder, test, toast } from '../desk.ts'
import { dialogTakesKeys } from '../fields.ts'
import { signIn } from '../people.ts'

test.describe('accepting', () => {
  test('ACT-001 GEN-001 GEN-006 GEN-009 the screen shows an accept before the server has answered, and merges the answer', async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const order = await outside.order('demo')
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await openOrder(page, order)
    await next(page, 'Accept').click()
    await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
    cable.holdAnswers()
    await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
    await expect(next(page, 'Add Tracking')).toBeVisible()
    await expect(page.getByText(/^Accepted by/)).toHaveCount(0)
    cable.mend()
    await expect(page.getByText(/^Accepted by/)).toBeVisible()
    await expect(next(page, 'Add Tracking')).toBeVisible()
    expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
  })

  test('ACT-022 an accept that never reached the server is taken back with the reason, and can be repeated', async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const order = await outside.order('demo')
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await openOrder(page, order)
    await next(page, 'Accept').click()
    await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
    cable.cut()
    await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
    await expect(toast(page, `Something went wrong, the order ${order.id} wasn't updated.`)).toBeVisible()
    await expect(toast(page, /^Not confirmed\. The server did not answer in time/)).toBeVisible()
    await expect(next(page, 'Accept')).toBeVisible()
    expect((await stored(outside, order)).status).toBe('SUBMITTED')
    cable.mend()
    await next(page, 'Accept').click()
    await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
    await expect(page.getByText(/^Accepted by/)).toBeVisible()
    expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
  })

  test('an accept whose answer was lost happens once, and the screen finally shows it', async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const order = await outside.order('demo')
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await openOrder(page, order)
    await next(page, 'Accept').click()
    await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
    cable.loseAnswers()
    await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
    await expect(toast(page, /^Not confirmed\. The server did not answer in time/)).toBeVisible()
    await expect.poll(async () => (await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
    cable.mend()
    await expect(page.getByText(/^Accepted by/)).toBeVisible()
    expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
  })

  test('ACT-022 the second clerk to accept reads by whom, when and how the order was decided, and sees the order as it is', async ({
    page,
    outside,
    url,
  }) => {
    const order = await outside.order('demo')
    await openOrder(page, order)
    await next(page, 'Accept').click()
    const accept = dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true })
    const { bearer } = await signIn(url, 'manager@demo.test')
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    await accept.click()
    await expect(toast(page, `Something went wrong, the order ${order.id} wasn't updated.`)).toBeVisible()
    await expect(
      toast(page, /^.+ was faster: Accepted at \d{1,2}:\d\d [AP]M( on [\d.]{10})?\.$/),
    ).toBeVisible()
    await expect(next(page, 'Add Tracking')).toBeVisible()
    expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
  })
})

test('ERR-001 ERR-002 an answer that nobody can read is an Unhandled Error, and the order stays as it was', async ({
  openDesk,
  outside,
  cable,
}) => {
  const order = await outside.order('demo')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await openOrder(page, order)
  await next(page, 'Accept').click()
  await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
  cable.answerInstead('413 Payload Too Large', '<html><h1>413</h1></html>')
  await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
  await expect(toast(page, `Something went wrong, the order ${order.id} wasn't updated.`)).toBeVisible()
  await expect(toast(page, 'Unhandled Error')).toBeVisible()
  await expect(next(page, 'Accept')).toBeVisible()
  cable.mend()
  expect((await stored(outside, order)).status).toBe('SUBMITTED')
})

test('words about an order as a whole go with the next try, and with the success of one that waited for a failure', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo')
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const rejected = Promise.withResolvers<void>()
  let tries = 0
  const refuse = { status: 409, json: { message: 'Not now', code: 'changed_elsewhere' } }
  await page.route(`**/m/v2/orders/${order.id}`, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    if (++tries > 1) {
      asked.resolve()
      await answered.promise
    }
    await route.fulfill(refuse)
  })
  await page.route(`**/orders/${order.id}/reject`, async (route) => {
    await rejected.promise
    await route.fallback()
  })
  const failure = toast(page, `Something went wrong, the order ${order.id} wasn't updated.`)
  await openOrder(page, order)
  await askToAccept(page)
  await pressAccept(page)
  await expect(failure).toBeVisible()
  // The pointer above it holds it on the screen, and the keys press the buttons.
  await failure.hover()
  await page.keyboard.press('a')
  await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
  await dialogTakesKeys(page)
  await page.keyboard.press('Enter')
  await asked.promise
  expect(await failure.count()).toBe(0)
  // The reject waits for the answer to the accept.
  await next(page, 'Reject').click()
  await dialog(page, 'Reject Order').getByRole('button', { name: 'REJECT', exact: true }).click()
  answered.resolve()
  await failure.hover()
  rejected.resolve()
  await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
  expect(await failure.count()).toBe(0)
})

test.describe('rejecting', () => {
  test('GEN-010 a reject keeps its typed text when somebody else was faster, and can still be sent', async ({
    page,
    outside,
    url,
  }) => {
    const order = await outside.order('demo')
    await openOrder(page, order)
    await next(page, 'Reject').click()
    const reject = dialog(page, 'Reject Order')
    await reject.getByRole('radio', { name: 'Other' }).check()
    const reason = reject.getByLabel('Reason', { exact: true })
    await reason.fill('The last bottle broke')
    const { bearer } = await signIn(url, 'manager@demo.test')
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    await expect(reject.getByRole('status')).toContainText('This order is now: Accepted.')
    await expect(reason).toHaveValue('The last bottle broke')
    await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
    await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
    await expect(page.getByText('The last bottle broke').first()).toBeVisible()
    expect(await actions(outside, url, order)).toEqual(['reject', 'accept', 'submit'])
  })

  test('ACT-010 without a network the dialog keeps its text, and the second press is the only effect', async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const order = await outside.order('demo')
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await openOrder(page, order)
    await next(page, 'Reject').click()
    const reject = dialog(page, 'Reject Order')
    await reject.getByRole('radio', { name: 'Other' }).check()
    const reason = reject.getByLabel('Reason', { exact: true })
    await reason.fill('Flooded cellar')
    cable.cut()
    await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
    await expect(toast(page, 'Error occurred trying to rejected the order.')).toBeVisible()
    await expect(reason).toHaveValue('Flooded cellar')
    cable.mend()
    await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
    await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
    expect(await actions(outside, url, order)).toEqual(['reject', 'submit'])
  })
})

test('the keyboard alone opens, fills in and closes every dialog of a decision', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo', twoBottles)
  await openOrder(page, order)
  await page.keyboard.press('a')
  await expect(
    dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }),
  ).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await option(page, 'Rye', 'Out of stock').focus()
  await page.keyboard.press('Enter')
  const stock = dialog(page, 'Out of Stock')
  await expect(stock.getByRole('radio').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(stock.getByRole('radio').last()).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(option(page, 'Rye', 'Out of stock')).toBeFocused()
  await page.keyboard.press('r')
  const reject = dialog(page, 'Reject Order')
  await expect(reject.getByRole('radio', { name: 'Customer cancelled' })).toBeFocused()
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Water in the cellar')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
  const { status, status_comment } = await stored(outside, order)
  expect([status, status_comment]).toEqual(['MERCHANT_REJECTED', 'Water in the cellar'])
})
