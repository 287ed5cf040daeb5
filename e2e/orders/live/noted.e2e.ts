import type { Order } from '@cellarhand/contract/orders'
import type { Page } from '@playwright/test'
import { dialog, expect, openNewest, rowOf, test } from '../../desk.ts'
import type { Outside } from '../../outside.ts'
import { signIn } from '../../people.ts'
import { violationsOf } from '../../screens/axe.ts'

const words = 'Customer comes at 9 🍷,\ndo not send <b>by courier</b>'

/** Writes notes on orders of a shop, as its owner. */
const writerOf =
  (outside: Outside, { tmk, as }: { tmk: string; as: string }) =>
  ({ id }: Order, text: string) =>
    outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/notes', { as, params: { tmk, id }, body: { text } })

const notesOf = (page: Page, title: string) => dialog(page, title).getByRole('list', { name: 'Notes' })

test('a colleague’s note marks its row at once, in the list and on a phone, and the mark goes with it', async ({
  openDesk,
  ownShop,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const note = writerOf(outside, { tmk: ownShop.key, as: bearer })
  const [noted, quiet] = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
  const page = await openDesk(ownShop.owner)
  const phone = await openDesk(ownShop.owner, { viewport: { width: 390, height: 844 }, hasTouch: true })
  for (const each of [page, phone]) await openNewest(each)
  const card = phone.getByRole('listitem').filter({ hasText: `#${noted.id}` })
  for (const row of [rowOf(page, noted), card]) {
    await expect(row).toBeVisible()
    await expect(row.getByRole('img', { name: /note/ })).toHaveCount(0)
  }
  await note(noted, 'First')
  for (const row of [rowOf(page, noted), card])
    await expect(row.getByRole('img', { name: '1 note', exact: true })).toBeVisible()
  const { notes } = await note(noted, words)
  for (const row of [rowOf(page, noted), card])
    await expect(row.getByRole('img', { name: '2 notes', exact: true })).toBeVisible()
  await expect(rowOf(page, quiet).getByRole('img', { name: /note/ })).toHaveCount(0)
  expect(await violationsOf(page)).toEqual([])
  expect(await violationsOf(phone)).toEqual([])

  // The list that opens with notes has the marks too, and another tab's list has its own.
  await page.reload()
  await expect(rowOf(page, noted).getByRole('img', { name: '2 notes' })).toBeVisible()
  for (const { id } of notes)
    await outside.call('DELETE /m/v2/merchant/{tmk}/orders/{id}/notes/{note}', {
      as: bearer,
      params: { tmk: ownShop.key, id: noted.id, note: id },
    })
  for (const row of [rowOf(page, noted), card])
    await expect(row.getByRole('img', { name: /note/ })).toHaveCount(0)
})

test('the dialogs of accept and the pick mode show the newest note, its author and how many more there are', async ({
  openDesk,
  ownShop,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const note = writerOf(outside, { tmk: ownShop.key, as: bearer })
  const [noted, quiet, other] = [
    await outside.order(ownShop.key),
    await outside.order(ownShop.key),
    await outside.order(ownShop.key),
  ]
  for (const text of ['First', 'Second', words]) await note(noted, text)
  await note(other, 'Ring twice')
  const page = await openDesk(ownShop.owner)
  await openNewest(page)
  await rowOf(page, noted)
    .getByRole('button', { name: /^Accept/ })
    .click()
  const shown = notesOf(page, 'Accept & Confirm')
  await expect(shown.getByRole('listitem')).toHaveCount(1)
  await expect(shown).toContainText(words)
  await expect(shown).toContainText(/Ada Marsh, .+, and 2 more notes$/)
  expect(await violationsOf(page)).toEqual([])
  // A colleague writes while the clerk reads.
  await note(noted, 'She called again')
  await expect(shown).toContainText(/She called again.+and 3 more notes$/s)
  await page.keyboard.press('Escape')
  await rowOf(page, quiet)
    .getByRole('button', { name: /^Accept/ })
    .click()
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${quiet.id}`)
  await expect(shown).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.keyboard.press('Shift+A')
  const many = notesOf(page, 'Accept Orders')
  await expect(many.getByRole('listitem')).toHaveCount(2)
  await expect(many).toContainText(`#${noted.id} She called again`)
  await expect(many).toContainText(`#${other.id} Ring twice`)
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')

  for (const order of [noted, quiet]) await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  for (const [ids, count] of [
    [`${noted.id}`, 1],
    [`${quiet.id}`, 0],
  ] as const) {
    await page.goto(`/pick/${ids}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Pick')
    await expect(page.getByRole('button', { name: 'No code to scan' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Notes' }).getByRole('listitem')).toHaveCount(count)
  }
  await page.goto(`/pick/${quiet.id},${noted.id}`)
  // Of a wave, those of the order whose bottle is next.
  const walk = page.getByRole('region', { name: 'The walk, shelf by shelf' }).getByRole('button')
  const notes = page.getByRole('list', { name: 'Notes' })
  await walk.last().click()
  await expect(page.getByText('Into tote B for')).toBeVisible()
  await expect(notes).toContainText('She called again')
  await walk.first().click()
  await expect(page.getByText('Into tote A for')).toBeVisible()
  await expect(notes).toHaveCount(0)
  expect(await violationsOf(page)).toEqual([])
})

test('an order is accepted while its notes have not come', async ({ openDesk, ownShop, outside, url }) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key)
  await writerOf(outside, { tmk: ownShop.key, as: bearer })(order, words)
  const page = await openDesk(ownShop.owner)
  const held = Promise.withResolvers<void>()
  await page.route('**/orders/notes?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await openNewest(page)
  await rowOf(page, order)
    .getByRole('button', { name: /^Accept/ })
    .click()
  const opened = dialog(page, 'Accept & Confirm')
  await expect(opened.getByRole('list', { name: 'Notes' })).toHaveCount(0)
  await opened.getByRole('button', { name: 'ACCEPT', exact: true }).click()
  await expect(opened).toHaveCount(0)
  await expect(page.getByText(/^Accepted by/)).toBeVisible()
  held.resolve()
  await openNewest(page)
  await expect(rowOf(page, order).getByRole('img', { name: '1 note' })).toBeVisible()
})
