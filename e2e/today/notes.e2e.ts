import { createUser } from '../../server/src/sign-in/public.ts'
import { violationsOf } from '../screens/axe.ts'
import { asAdmin } from '../database.ts'
import { expect, test } from '../desk.ts'
import { stopTime } from '../page-time.ts'
import { password } from '../people.ts'

const words = 'Gift for the <b>neighbour</b>\nring twice 🍾'

test('two clerks write notes on an order, each sees the other’s at once, and deletes only their own', async ({
  openDesk,
  ownShop,
  outside,
  dataDir,
}) => {
  const email = `member@${ownShop.key}.test`
  await asAdmin(dataDir, (db) =>
    createUser(db, {
      email,
      firstName: 'Mona',
      lastName: 'Reyes',
      password,
      merchantKey: ownShop.key,
      role: 'merch.user',
    }),
  )
  const order = await outside.order(ownShop.key)
  const owner = await openDesk(ownShop.owner)
  const member = await openDesk(email, { viewport: { width: 390, height: 844 }, hasTouch: true })
  const cardOf = (page: typeof owner) => page.getByRole('region', { name: 'Notes', exact: true })
  for (const page of [owner, member]) {
    await page.goto(`/orders/view/${order.id}`)
    await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
    await expect(cardOf(page)).toContainText('Only your shop sees them.')
  }
  await cardOf(owner).getByRole('button', { name: 'Add note' }).click()
  await cardOf(owner).getByLabel('New note').fill(words)
  await owner.keyboard.press('Control+Enter')
  await expect(cardOf(owner).getByRole('button', { name: 'Add note' })).toBeFocused()
  for (const page of [owner, member]) {
    await expect(cardOf(page).getByRole('listitem')).toHaveCount(1)
    await expect(cardOf(page).getByText(words, { exact: true })).toBeVisible()
    await expect(cardOf(page).getByText(/^Ada Marsh, /)).toBeVisible()
  }
  await expect(cardOf(member).getByRole('button', { name: 'Delete' })).toHaveCount(0)

  await cardOf(member).getByRole('button', { name: 'Add note' }).tap()
  await cardOf(member).getByLabel('New note').fill('She was there at 5')
  await cardOf(member).getByRole('button', { name: 'Add', exact: true }).tap()
  const own = cardOf(member).getByRole('listitem').filter({ hasText: 'She was there' })
  await expect(cardOf(owner).getByText('She was there at 5')).toBeVisible()
  await own.getByRole('button', { name: 'Delete' }).tap()
  await own.getByRole('button', { name: 'Keep' }).tap()
  await expect(own.getByRole('button', { name: 'Delete' })).toBeFocused()
  await own.getByRole('button', { name: 'Delete' }).tap()
  expect(await violationsOf(member)).toEqual([])
  await own.getByRole('button', { name: 'Delete for good' }).tap()
  for (const page of [owner, member]) await expect(cardOf(page).getByRole('listitem')).toHaveCount(1)
  // The colleague's note has no button, so the card's own is the nearest.
  await expect(cardOf(member).getByRole('button', { name: 'Add note' })).toBeFocused()
})

test('a note for the next shift stands on Today for everybody of the shop', async ({ openDesk, ownShop }) => {
  const page = await openDesk(ownShop.owner)
  await page.goto('/today')
  const card = page.getByRole('region', { name: 'Notes for the next shift' })
  await card.getByRole('button', { name: 'Add note' }).click()
  await card.getByLabel('New note').fill('The printer needs labels')
  await card.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(card.getByRole('listitem')).toHaveText(/^The printer needs labelsAda Marsh, /)
  await page.reload()
  await expect(card.getByRole('listitem')).toHaveCount(1)
})

test('a double press asks whether a note goes, and never answers', async ({ openDesk, ownShop }) => {
  const page = await openDesk(ownShop.owner)
  await page.clock.install()
  await page.goto('/today')
  const card = page.getByRole('region', { name: 'Notes for the next shift' })
  await card.getByRole('button', { name: 'Add note' }).click()
  await card.getByLabel('New note').fill('The printer needs labels')
  await card.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && calls.push(request.url()))
  const confirm = card.getByRole('button', { name: 'Delete for good' })
  await stopTime(page)
  await card.getByRole('button', { name: 'Delete', exact: true }).dblclick()
  await expect(confirm).toBeFocused()
  await page.keyboard.press('Enter')
  await page.clock.runFor(600)
  await page.keyboard.press('Enter')
  await page.clock.runFor(200)
  await expect(confirm).toBeEnabled()
  expect(calls).toEqual([])
  await page.clock.resume()
  await page.keyboard.press('Enter')
  await expect(card.getByRole('listitem')).toHaveCount(0)
  await expect(card.getByRole('button', { name: 'Add note' })).toBeFocused()
  expect(calls).toHaveLength(1)
})
