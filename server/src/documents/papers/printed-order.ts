import { foreignCountry, type Address } from '@cellarhand/contract/address-lines'
import { methodLabel } from '@cellarhand/contract/labels'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { LineItem, Order } from '@cellarhand/contract/orders'
import { formatPhone } from '@cellarhand/contract/phone'
import { oneLine } from './one-line.ts'

interface PrintedShop {
  readonly name: string
  readonly addressLines: readonly string[]
  readonly phone: string
  readonly timezone: string
}

/** The data of a slip or a receipt. */
export interface PrintedOrder {
  readonly order: Omit<Order, 'on_track_status'>
  readonly shop: PrintedShop
  readonly deadlineAt: Date
}

export function addressLinesOf(address: Address): string[] {
  return [
    address.street_1,
    address.street_2,
    address.street_3,
    `${address.city}, ${address.state} ${address.zipcode}`,
    foreignCountry(address),
  ].flatMap((line) => oneLine(line ?? '') || [])
}

export function nameOf(person: { readonly first_name: string; readonly last_name: string }): string {
  return oneLine(`${person.first_name} ${person.last_name}`)
}

export function recipientLines({ recipient }: PrintedOrder['order']): string {
  const phone = recipient.phone_number === null ? [] : [formatPhone(recipient.phone_number)]
  return [...addressLinesOf(recipient), ...phone].join('\n')
}

/** The pieces of a line that the shop has reported as missing, while the order waits for the marketplace. */
export function missingOf({ shortage }: PrintedOrder['order'], { id }: Pick<LineItem, 'id'>): number {
  return shortage?.lines.find(({ line_id: lineId }) => lineId === id)?.missing ?? 0
}

/** The pieces in the box: one that is reported as missing is not packed. */
export function packedCount(order: PrintedOrder['order']): number {
  return ownLines(order).reduce((sum, { item }) => sum + item.quantity - missingOf(order, item), 0)
}

export function methodOf({ delivery, courier_estimate_id: estimate }: PrintedOrder['order']): string {
  return methodLabel(delivery.method, estimate)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes longer than drawing the page. */
function formatOf(timezone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timezone} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (format === undefined)
    formats.set(key, (format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: timezone })))
  return format
}

const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const

/** "Nov 21, 2026, 3:30 PM EST", in the shop's zone. */
export function formatMoment(at: Date | string, timezone: string): string {
  return formatOf(timezone, { month: 'short', day: 'numeric', year: 'numeric', ...time })
    .format(new Date(at))
    .replaceAll('\u202f', ' ')
}

/** "Sat, Nov 21, 3:30 PM EST": a deadline is near, so the year is left out. */
function formatSoon(at: Date | string, timezone: string): string {
  return formatOf(timezone, { weekday: 'short', month: 'short', day: 'numeric', ...time })
    .format(new Date(at))
    .replaceAll('\u202f', ' ')
}

function formatTime(at: Date | string, timezone: string): string {
  return formatOf(timezone, { hour: 'numeric', minute: '2-digit' })
    .format(new Date(at))
    .replaceAll('\u202f', ' ')
}

/** A calendar day, which has no zone. */
export function formatDay(day: string): string {
  return formatOf('UTC', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' }).format(
    new Date(`${day}T12:00:00Z`),
  )
}

/** The order's deadline and place, in words. */
export function deadlineText({ order, deadlineAt, shop }: PrintedOrder): string {
  const { window } = order.delivery
  if (order.delivery.method === 'scheduled' && window !== null) {
    const [from = '', to = ''] = window
    return `${formatSoon(from, shop.timezone)} to ${formatTime(to, shop.timezone)}`
  }
  return formatSoon(deadlineAt, shop.timezone)
}

/** The latest day of a presale's bottles. */
export function availableFrom(items: readonly LineItem[]): string | undefined {
  return items
    .map((item) => item.aux_data?.preorder_available_date)
    .filter((day) => typeof day === 'string')
    .toSorted()
    .at(-1)
}
