import type { Order } from '@cellarhand/contract/orders'

export function recipientName(order: Order): string {
  return `${order.recipient.first_name} ${order.recipient.last_name}`.trim()
}

export function totalItems(order: Order): number {
  return order.items.reduce((sum, item) => sum + item.quantity, 0)
}

export function itemWords(order: Order): string {
  const items = totalItems(order)
  return items === 1 ? '1 item' : `${items} items`
}
