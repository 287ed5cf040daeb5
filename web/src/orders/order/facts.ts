import type { Order } from '@cellarhand/contract/orders'

export function recipientName(order: Order): string {
  return `${order.recipient.first_name} ${order.recipient.last_name}`.trim()
}

export function totalItems(order: Order): number {
  return order.items.reduce((sum, item) => sum + item.quantity, 0)
}
