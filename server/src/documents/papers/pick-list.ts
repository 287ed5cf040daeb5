import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import { formats } from './formats.ts'
import { oneLine } from './one-line.ts'
import { drawPageNumbers, openCanvas } from './paper.ts'
import type { PickList } from './picks.ts'
import { formatMoment } from './printed-order.ts'
import { drawPickRow, drawTable, placeColumns, ruleBelowRow } from './table.ts'

const columns = placeColumns(formats.letter, [
  { name: '', width: 14 },
  { name: 'Qty', width: 44, align: 'right' },
  { name: 'Shelf', width: 62 },
  { name: 'Item', width: 0 },
  { name: 'Size', width: 62 },
  { name: 'SKU', width: 92 },
])

export async function drawPickList(list: PickList, paper: PaperFormat): Promise<Buffer> {
  const format = formats[paper]
  const { margin, contentWidth, isNarrow, styles } = format
  const canvas = openCanvas(format, {
    title: 'Pick list',
    madeAt: list.madeAt,
    continued: 'Pick list (continued)',
  })
  const { sheet, flow } = canvas
  const width = isNarrow ? contentWidth : contentWidth / 2
  const total = list.picks.reduce((sum, pick) => sum + pick.quantity, 0)
  const orders = list.orderCount === 1 ? '1 order' : `${list.orderCount} orders`
  const summary = `${orders} · ${total} items · ${formatMoment(list.madeAt, list.timezone)}`
  const title = { text: 'Pick list', style: { size: 20, weight: 'bold', leading: 1.2 } } as const
  const shop = oneLine(list.shopName)
  const left = {
    x: margin,
    width,
    pieces: [
      title,
      { text: summary, style: styles.body },
      ...(isNarrow ? [{ text: shop, style: styles.bold }] : []),
    ],
  }
  const right = {
    x: margin + width,
    width,
    pieces: [{ text: shop, style: { ...styles.bold, align: 'right' }, above: 4 }],
  } as const
  flow.row(isNarrow ? [left] : [left, right], { below: 10 })
  drawTable(canvas, columns, () => {
    for (const pick of list.picks) {
      drawPickRow(canvas, columns, {
        quantity: pick.quantity,
        shelf: pick.shelf,
        texts: [
          { text: oneLine(pick.name), style: styles.bold },
          { text: pick.orders.join(', '), style: styles.small },
        ],
        size: pick.size,
        sku: pick.sku,
        below: 9,
      })
      ruleBelowRow(canvas, flow.y - 4)
    }
  })
  drawPageNumbers({ format, sheet }, { name: shop.slice(0, 50), about: 'Pick list' })
  return sheet.toBytes()
}
