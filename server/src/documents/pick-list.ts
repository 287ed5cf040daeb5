import { createSheet, heightOf } from '#platform/pdf/sheet.ts'
import {
  contentWidth,
  drawTableHead,
  ink,
  letter,
  margin,
  pageBottom,
  placeColumns,
  styles,
} from './paper.ts'
import { formatMoment, linesOf, type PrintedOrder } from './printed-order.ts'

interface Pick {
  readonly name: string
  readonly size: string
  readonly sku: string
  quantity: number
  /** Which orders it is for, in the order of their slips. */
  readonly orders: string[]
}

/** All bottles of a batch, by product, so that each shelf is visited once. */
export interface PickList {
  readonly shopName: string
  readonly madeAt: Date
  readonly timezone: string
  readonly orderCount: number
  readonly picks: readonly Pick[]
}

const collator = new Intl.Collator('en', { numeric: true })

/** Engravings are nothing to pick; what is engraved is. */
export function pickListOf(orders: readonly PrintedOrder[], madeAt: Date): PickList | undefined {
  const [first] = orders
  if (first === undefined) return undefined
  const picks = new Map<string, Pick>()
  for (const { order } of orders) {
    for (const { item } of linesOf(order.items)) {
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
  { name: 'Qty', width: 30, align: 'right' },
  { name: 'Item', width: 0 },
  { name: 'Size', width: 62 },
  { name: 'SKU', width: 92 },
])

export async function drawPickList(list: PickList): Promise<Buffer> {
  const sheet = createSheet({ ...letter, title: 'Pick list', madeAt: list.madeAt })
  const place = { x: margin, width: contentWidth }
  let y = 38
  y += sheet.text('Pick list', { ...place, y }, { size: 20, weight: 'bold', leading: 1.2 })
  const total = list.picks.reduce((sum, pick) => sum + pick.quantity, 0)
  const summary = `${list.orderCount} orders · ${total} items · ${formatMoment(list.madeAt, list.timezone)}`
  sheet.text(list.shopName, { ...place, y: 42 }, { ...styles.bold, align: 'right' })
  y += sheet.text(summary, { ...place, y }, styles.body) + 10
  y = drawTableHead(sheet, columns, y)
  const [box, quantity, item, size, sku] = columns
  if (!box || !quantity || !item || !size || !sku) return sheet.toBytes()
  for (const pick of list.picks) {
    const nameHeight = heightOf(pick.name, item.width, styles.bold)
    const orders = pick.orders.join(', ')
    const height = nameHeight + heightOf(orders, item.width, styles.small) + 9
    if (y + height > pageBottom) {
      sheet.addPage()
      y = drawTableHead(sheet, columns, 40)
    }
    sheet.box({ x: box.x, y: y + 1.5, width: 10, height: 10 }, { stroke: ink.black })
    sheet.text(
      String(pick.quantity),
      { x: quantity.x, width: quantity.width, y: y - 1.5 },
      { size: 12, weight: 'bold', align: 'right' },
    )
    sheet.text(pick.name, { x: item.x, width: item.width, y }, styles.bold)
    sheet.text(orders, { x: item.x, width: item.width, y: y + nameHeight }, styles.small)
    sheet.text(pick.size, { x: size.x, width: size.width, y }, styles.body)
    sheet.text(pick.sku, { x: sku.x, width: sku.width, y }, styles.body)
    y += height
    sheet.rule({ ...place, y: y - 4 }, { color: ink.line, thickness: 0.4 })
  }
  sheet.onEachPage((page, count) =>
    sheet.text(
      `Pick list · page ${page} of ${count}`,
      { ...place, y: letter.height - 38 },
      { ...styles.small, align: 'right' },
    ),
  )
  return sheet.toBytes()
}
