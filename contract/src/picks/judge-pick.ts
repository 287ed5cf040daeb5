import { gtinsOfScan } from '../inventory/gtin.ts'
import type { OrderStatus } from '../orders/order-statuses.ts'

/**
 * `right` alone counts. `wrong` is another bottle, `too_many` a right one too much, `unreadable` a barcode of another
 * kind, `no_code` a scan although the stock list has no code to compare, `stopped` an order that cannot be picked now,
 * `gone` a line that the order does not have any more.
 */
export const pickResults = ['right', 'wrong', 'too_many', 'no_code', 'unreadable', 'stopped', 'gone'] as const
export type PickResult = (typeof pickResults)[number]

const pickable: readonly OrderStatus[] = [
  'SUBMITTED',
  'MERCHANT_ACCEPTED',
  'PAYMENT_SUBMITTED',
  'PAYMENT_APPROVED',
]

/** Bottles are picked from an order's arrival to its hand-over, while it waits for no other party. */
export function isPickable(status: OrderStatus): boolean {
  return pickable.includes(status)
}

interface WantedBottle {
  /** The number of the stock list without leading zeros; null when the list has none. */
  readonly gtin: string | null
  readonly quantity: number
  readonly picked: number
}

/** The server's word on one bottle. `code` is what the scanner read; null for a bottle that is confirmed by hand. */
export function judgePick({ gtin, quantity, picked }: WantedBottle, code: string | null): PickResult {
  if (code !== null) {
    const scanned = gtinsOfScan(code)
    if (scanned.length === 0) return 'unreadable'
    if (gtin === null) return 'no_code'
    if (!scanned.includes(gtin)) return 'wrong'
  }
  return picked < quantity ? 'right' : 'too_many'
}
