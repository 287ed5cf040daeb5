import { createSheet } from '#platform/pdf/sheet.ts'
import { createFlow, numberPiece } from './flow.ts'
import { oneLine } from './one-line.ts'
import {
  contentWidth,
  drawTable,
  ink,
  letter,
  margin,
  pageBottom,
  placeColumns,
  ruleBelowRow,
  styles,
} from './paper.ts'
import type { PickList } from './picks.ts'
import { formatMoment } from './printed-order.ts'

const columns = placeColumns([
  { name: '', width: 14 },
  { name: 'Qty', width: 44, align: 'right' },
  { name: 'Item', width: 0 },
  { name: 'Size', width: 62 },
  { name: 'SKU', width: 92 },
])

export async function drawPickList(list: PickList): Promise<Buffer> {
  const sheet = createSheet({ ...letter, title: 'Pick list', madeAt: list.madeAt })
  const flow = createFlow(sheet, { y: 38, bottom: pageBottom, top: 40, drawTop: () => {} })
  const half = contentWidth / 2
  const total = list.picks.reduce((sum, pick) => sum + pick.quantity, 0)
  const orders = list.orderCount === 1 ? '1 order' : `${list.orderCount} orders`
  const summary = `${orders} · ${total} items · ${formatMoment(list.madeAt, list.timezone)}`
  flow.row(
    [
      {
        x: margin,
        width: half,
        pieces: [
          { text: 'Pick list', style: { size: 20, weight: 'bold', leading: 1.2 } },
          { text: summary, style: styles.body },
        ],
      },
      {
        x: margin + half,
        width: half,
        pieces: [{ text: oneLine(list.shopName), style: { ...styles.bold, align: 'right' }, above: 4 }],
      },
    ],
    { below: 10 },
  )
  drawTable({ sheet, flow }, columns, () => {
    for (const pick of list.picks) {
      const [box, quantity, ...rest] = columns
      const number = { size: 12, weight: 'bold', align: 'right', leading: 1.1 } as const
      const cells = [
        [
          { text: oneLine(pick.name), style: styles.bold },
          { text: pick.orders.join(', '), style: styles.small },
        ],
        [{ text: oneLine(pick.size), style: styles.body }],
        [{ text: oneLine(pick.sku), style: styles.body }],
      ]
      let isFirst = true
      flow.row(
        [
          {
            x: quantity?.x ?? 0,
            width: quantity?.width ?? 0,
            pieces: [{ ...numberPiece(String(pick.quantity), quantity?.width ?? 0, number), above: -1.5 }],
          },
          ...rest.map(({ x, width }, index) => ({ x, width, pieces: cells[index] ?? [] })),
        ],
        {
          below: 9,
          behind: (y) => {
            if (isFirst)
              sheet.box({ x: box?.x ?? 0, y: y + 1.5, width: 10, height: 10 }, { stroke: ink.black })
            isFirst = false
          },
        },
      )
      ruleBelowRow(sheet, flow.y - 4)
    }
  })
  sheet.onEachPage((page, count) =>
    sheet.text(
      `Pick list · page ${page} of ${count}`,
      { x: margin, width: contentWidth, y: letter.height - 38 },
      { ...styles.small, align: 'right' },
    ),
  )
  return sheet.toBytes()
}
