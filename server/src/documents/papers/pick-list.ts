import { ownLines } from '@cellarhand/contract/order-lines'
import { createSheet } from '#platform/pdf/sheet.ts'
import { createFlow, numberPiece, oneLine } from './flow.ts'
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
import { formatMoment, type PrintedOrder } from './printed-order.ts'

interface Pick {
  readonly name: string
  readonly size: string
  readonly sku: string
  quantity: number
  /** Its orders, in the sequence of their slips. */
  readonly orders: string[]
}

/** All bottles of a batch by product, so that the picker visits each shelf once. */
export interface PickList {
  readonly shopName: string
  readonly madeAt: Date
  readonly timezone: string
  readonly orderCount: number
  readonly picks: readonly Pick[]
}

const collator = new Intl.Collator('en', { numeric: true })

/** An engraving cannot be picked; its bottle can. */
export function pickListOf(orders: readonly PrintedOrder[], madeAt: Date): PickList | undefined {
  const [first] = orders
  if (first === undefined) return undefined
  const picks = new Map<string, Pick>()
  for (const { order } of orders) {
    for (const { item } of ownLines(order)) {
      const size = item.product?.container_size ?? ''
      const sku = item.offering?.merchant_sku ?? ''
      const key = JSON.stringify([item.name, size, sku])
      const pick = picks.get(key) ?? { name: item.name, size, sku, quantity: 0, orders: [] }
      pick.quantity += item.quantity
      pick.orders.push(`#${order.id}${item.quantity === 1 ? '' : ` ×${item.quantity}`}`)
      picks.set(key, pick)
    }
  }
  return {
    shopName: first.shop.name,
    timezone: first.shop.timezone,
    madeAt,
    orderCount: orders.length,
    picks: [...picks.values()].toSorted(
      (a, b) => collator.compare(a.name, b.name) || collator.compare(a.size, b.size),
    ),
  }
}

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
