import { expect, test } from 'vitest'
import { expectLegible, missingFrom, readTable } from '../../../test/papers/paper-table.ts'
import { readPdf } from '../../../test/papers/pdf-text.ts'
import { drawPickList } from './pick-list.ts'
import { pickListOf } from './picks.ts'
import type { PrintedOrder } from './printed-order.ts'

function anOrder(id: string, items: readonly { name: string; sku: string; size?: string }[]): PrintedOrder {
  return {
    shop: { name: 'Harbor Wine & Spirits', addressLines: [], phone: '', timezone: 'America/New_York' },
    deadlineAt: new Date(0),
    order: {
      id,
      items: items.map(({ name, sku, size }, index) => ({
        id: `line-${index}`,
        name,
        quantity: 1,
        product: { id: `p-${index}`, container_size: size ?? '750 mL' },
        offering: { id: `o-${index}`, merchant_sku: sku, stock_behaviour: null },
        parent_line_item_id: null,
      })),
    } as unknown as PrintedOrder['order'],
  }
}

test('the longest texts, and a bottle of more orders than a page can name, are complete on the pick list', async () => {
  const long = Array.from({ length: 30 }, (_, index) => ({
    name: `${index} ${'Longname'.repeat(36)}`,
    sku: `${index}-${'K'.repeat(60)}`,
    size: 'S'.repeat(40),
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
      long.flatMap(({ name, sku, size }) => [name, sku, size]),
    ),
  ).toEqual([])
  const named = texts.flatMap(({ text }) => text.match(/#\d+/g) ?? [])
  expect(named).toHaveLength(30 + 6 * 200)
  const columns = [{ name: 'QTY', isRight: true }, { name: 'ITEM' }]
  const rye = readTable(texts, columns).find(({ cells }) => cells['ITEM'] === 'Rye')
  expect(rye?.cells['QTY']).toBe('1200')
  expectLegible(texts)
})
