import { expect, test } from 'vitest'
import { expectLegible, missingFrom, readTable } from '../../../test/papers/paper-table.ts'
import { readPdf } from '../../../test/papers/pdf-text.ts'
import { drawPickList } from './pick-list.ts'
import { pickListOf, type OrderToPick } from './picks.ts'

function anOrder(
  id: string,
  items: readonly {
    name: string
    sku: string
    size?: string
    shelf?: string
    quantity?: number
    missing?: number
  }[],
): OrderToPick {
  const outOfStock = items.flatMap(({ missing }, index) =>
    missing === undefined ? [] : [[`p-${index}`, { checked: true, reason: '', missing }] as const],
  )
  return {
    shop: { name: 'Harbor Wine & Spirits', addressLines: [], phone: '', timezone: 'America/New_York' },
    deadlineAt: new Date(0),
    shelves: new Map(items.flatMap(({ shelf }, index) => (shelf ? [[`line-${index}`, shelf] as const] : []))),
    order: {
      id,
      rejection_message: JSON.stringify({ outOfStock: Object.fromEntries(outOfStock) }),
      items: items.map(({ name, sku, size, quantity = 1 }, index) => ({
        id: `line-${index}`,
        name,
        quantity,
        product: { id: `p-${index}`, container_size: size ?? '750 mL' },
        offering: { id: `o-${index}`, merchant_sku: sku, stock_behaviour: null },
        parent_line_item_id: null,
      })),
    } as unknown as OrderToPick['order'],
  }
}

test('the longest texts, and a bottle of more orders than a page can name, are complete on the pick list', async () => {
  const long = Array.from({ length: 30 }, (_, index) => ({
    name: `${index} ${'Longname'.repeat(36)}`,
    sku: `${index}-${'K'.repeat(60)}`,
    size: 'S'.repeat(40),
    shelf: `${index}-${'L'.repeat(60)}`,
  }))
  const same = Array.from({ length: 200 }, () => ({ name: 'Rye', sku: 'RYE-0750' }))
  const orders = [
    anOrder('1000000', long),
    ...Array.from({ length: 6 }, (_, index) => anOrder(String(1_000_001 + index), same)),
  ]
  const list = pickListOf(orders, new Date(0))
  const { texts, pages } = await readPdf(await drawPickList(list ?? expect.fail(), 'letter'))
  expect(pages).toBeGreaterThan(3)
  expect(
    missingFrom(
      texts,
      long.flatMap(({ name, sku, size, shelf }) => [name, sku, size, shelf]),
    ),
  ).toEqual([])
  const named = texts.flatMap(({ text }) => text.match(/#\d+/g) ?? [])
  expect(named).toHaveLength(30 + 6 * 200)
  const columns = [{ name: 'QTY', isRight: true }, { name: 'ITEM' }]
  const rye = readTable(texts, columns).find(({ cells }) => cells['ITEM'] === 'Rye')
  expect(rye?.cells['QTY']).toBe('1200')
  expectLegible(texts)
})

test('the pick list goes shelf by shelf, as the walk on the screen, and bottles without a shelf come last', async () => {
  const sku = 'S-1'
  const orders = [
    anOrder('1', [
      { name: 'Agave', sku, shelf: 'B-11' },
      { name: 'Anise', sku },
      { name: 'Rye', sku, shelf: 'b-2' },
    ]),
    anOrder('2', [
      { name: 'Zinfandel', sku, shelf: 'A-02' },
      { name: 'Rye', sku, shelf: 'b-2' },
      { name: 'Rye', sku, shelf: 'B-11' },
    ]),
  ]
  const list = pickListOf(orders, new Date(0)) ?? expect.fail()
  const { texts } = await readPdf(await drawPickList(list, 'letter'))
  const columns = [{ name: 'QTY', isRight: true }, { name: 'SHELF' }, { name: 'ITEM' }]
  const rows = readTable(texts, columns).flatMap(({ cells }) => (cells['QTY'] ? [Object.values(cells)] : []))
  expect(rows).toEqual([
    ['1', 'A-02', 'Zinfandel'],
    ['2', 'b-2', 'Rye'],
    ['1', 'B-11', 'Agave'],
    ['1', 'B-11', 'Rye'],
    ['1', 'Anise'],
  ])
})

test('pieces reported as missing are on no pick list, nor a line without any other', async () => {
  const orders = [
    anOrder('1', [
      { name: 'Gin', sku: 'G-1', quantity: 6, missing: 4 },
      { name: 'Rye', sku: 'R-1', quantity: 3, missing: 3 },
      { name: 'Rum', sku: 'U-1', quantity: 2, missing: 1 },
    ]),
    anOrder('2', [{ name: 'Gin', sku: 'G-1', quantity: 3 }]),
  ]
  const list = pickListOf(orders, new Date(0)) ?? expect.fail()
  const { texts } = await readPdf(await drawPickList(list, 'letter'))
  const columns = [{ name: 'QTY', isRight: true }, { name: 'ITEM' }]
  const rows = readTable(texts, columns)
    .map(({ cells }) => Object.values(cells))
    .filter((cells) => cells.length > 0)
  expect(rows).toEqual([['5', 'Gin'], ['#1 ×2, #2 ×3'], ['1', 'Rum'], ['#1']])
  expect(missingFrom(texts, ['2 orders · 6 items'])).toEqual([])
  expect(pickListOf([anOrder('3', [{ name: 'Gin', sku: 'G-1', missing: 1 }])], new Date(0))).toBeUndefined()
})
