import type { NewLineItem } from '@cellarhand/contract/marketplace'
import { readPdf } from '../../server/test/papers/pdf-text.ts'
import { update } from './deciding.ts'
import { block, dialog, expect, openOrder, test } from '../desk.ts'
import { signIn } from '../people.ts'

function rye(quantity: number): NewLineItem {
  return { id: 'a', name: 'Rye', quantity, price: 40, subtotal: 40 * quantity, product: { id: 'p-rye' } }
}

function engraving(messages: string[], changes: Partial<NewLineItem> = {}): NewLineItem {
  const quantity = changes.quantity ?? messages.length
  return {
    id: 'e',
    name: 'engraving',
    quantity,
    price: 15,
    subtotal: 15 * quantity,
    parent_line_item_id: 'a',
    aux_data: { engraving_message: messages },
    ...changes,
  }
}

const gin: NewLineItem = {
  id: 'z',
  name: 'Gin',
  quantity: 1,
  price: 30,
  subtotal: 30,
  product: { id: 'p-gin' },
}

function sold(...items: NewLineItem[]) {
  const subtotal = items.reduce((sum, item) => sum + item.subtotal, 0)
  return { items, transaction: { subtotal, total: subtotal } }
}

const guests = Array.from({ length: 24 }, (_, index) => `For guest ${index}\nwith love\n2026-${index}`)

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 600, height: 900 },
  { width: 390, height: 844 },
]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height } })

    test('24 engravings are all in the order view, and a text of one word does not widen it', async ({
      page,
      outside,
    }) => {
      const order = await outside.order('demo', sold(rye(25), engraving(guests), gin))
      await openOrder(page, order)
      const rows = block(page, 'Products').getByRole('row')
      await expect(rows).toHaveCount(1 + 1 + 1 + 24 + 1)
      for (const [index, message] of guests.entries())
        await expect(rows.nth(3 + index)).toContainText(
          message
            .split('\n')
            .map((line, at) => `Line ${at + 1}: ${line}`)
            .join(''),
        )
      await expect(rows.last()).toContainText('Gin')
      const word = await outside.order('demo', sold(rye(1), engraving(['W'.repeat(300)]), gin))
      await openOrder(page, word)
      await expect(block(page, 'Products')).toContainText('W'.repeat(300))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
  })
}

test('screen and paper show the same engravings of an order', async ({ page, outside, url }) => {
  const { bearer } = await signIn(url, 'member@demo.test')
  const order = await outside.order(
    'demo',
    sold(
      rye(6),
      engraving(['To Ana\nWith love', 'To Bo', 'To Ana\nWith love']),
      engraving(['All alike'], { id: 'f', quantity: 3, subtotal: 45 }),
      gin,
    ),
  )
  await openOrder(page, order)
  const shown = await block(page, 'Products').getByRole('row').filter({ hasText: 'Line 1' }).allInnerTexts()
  const onScreen = shown.map((text) => ({
    count: Number(/\t(\d+)\t/.exec(text)?.[1]),
    lines: [...text.matchAll(/Line \d+: (.*)/g)].map(([, line]) => line),
  }))
  const slip = await fetch(`${url}/m/v2/merchant/demo/orders/${order.id}/reports/packingslip`, {
    headers: { authorization: bearer },
  })
  const onPaper: typeof onScreen = []
  for (const { text } of (await readPdf(new Uint8Array(await slip.arrayBuffer()))).texts) {
    const count = /^ENGRAVE (\d+)$/.exec(text)?.[1]
    if (count !== undefined) onPaper.push({ count: Number(count), lines: [] })
    const line = /^Line \d+: (.*)$/.exec(text)?.[1]
    if (line !== undefined) onPaper.at(-1)?.lines.push(line)
  }
  expect(onPaper).toEqual(onScreen)
  expect(onPaper).toEqual([
    { count: 2, lines: ['To Ana', 'With love'] },
    { count: 1, lines: ['To Bo'] },
    { count: 3, lines: ['All alike'] },
  ])
})

test('a line that belongs to a bottle is no product, regardless of its name, and the bottle can be reported', async ({
  page,
  outside,
}) => {
  const monogram = engraving(['D. R.'], {
    name: 'Monogram',
    quantity: 2,
    subtotal: 30,
    product: { id: 'p-mono' },
  })
  const order = await outside.order('demo', sold(rye(2), monogram, gin))
  await openOrder(page, order)
  const products = block(page, 'Products')
  const row = products.getByRole('row').filter({ hasText: 'Monogram' })
  await expect(row).toContainText('Line 1: D. R.')
  for (const figure of ['2', '$15.00', '$30.00'])
    await expect(row.getByRole('cell', { name: figure, exact: true })).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)
  await expect(products.getByRole('button', { name: 'Out of stock' })).toHaveCount(2)
  await products
    .getByRole('row')
    .filter({ hasText: 'Rye' })
    .getByRole('button', { name: 'Out of stock' })
    .click()
  const stock = dialog(page, 'Out of Stock')
  await update(stock).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(products.getByRole('row').filter({ hasText: 'Rye' })).toContainText(
    'Out of stock: within 48 hrs',
  )
})
