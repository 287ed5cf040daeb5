import { randomBytes } from 'node:crypto'
import type { NewLineItem, NewOrder } from '@cellarhand/contract/marketplace'

export function anItem(changes: Partial<NewLineItem> = {}): NewLineItem {
  return {
    id: 'line-1',
    name: 'Copper Still Small Batch Bourbon',
    description: 'Straight bourbon',
    quantity: 1,
    price: 52,
    subtotal: 52,
    product: { id: 'p-bourbon', container_size: '750 mL' },
    offering: { id: 'o-bourbon', merchant_sku: 'CS-0750', stock_behaviour: null },
    ...changes,
  }
}

/** A plain parcel order of one bottle; its amounts follow from its items. */
export function anOrder(merchant: string, changes: Partial<NewOrder> = {}): NewOrder {
  const items = changes.items ?? [anItem()]
  const subtotal = Math.round(items.reduce((sum, item) => sum + item.subtotal * 100, 0)) / 100
  return {
    merchant,
    thirstie_logistic_order_ref: `ref-${randomBytes(8).toString('hex')}`,
    application_name: 'Old Vine',
    application_brand_name: 'Old Vine',
    application_ref: 'app-old-vine',
    delivery: { method: 'shipped' },
    recipient: {
      first_name: 'Dee',
      last_name: 'Nakamura',
      street_1: '118 Pearl St',
      city: 'New York',
      state: 'NY',
      zipcode: '10005',
      country: 'US',
      phone_number: '+12125550123',
    },
    customer: { first_name: 'Dee', last_name: 'Nakamura', email: 'dee@example.com' },
    transaction: { subtotal, tax: 4.62, total: Math.round((subtotal + 4.62) * 100) / 100 },
    items,
    ...changes,
  }
}

/** What an order of the method needs to be taken: a scheduled one has a window, tomorrow. */
export function deliveryBy(method: string): NewOrder['delivery'] {
  if (method !== 'scheduled') return { method }
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  return { method, window: [at(24), at(26)] }
}

export const onDemand = { delivery: { method: 'on_demand' } } satisfies Partial<NewOrder>

/** To a state whose rules no owner has confirmed, so that the order is held. */
export const toUtah = {
  recipient: {
    first_name: 'Ngozi',
    last_name: 'Eze-Lindqvist',
    street_1: '1450 Wasatch Terrace',
    city: 'Salt Lake City',
    state: 'UT',
    zipcode: '84103',
    country: 'US',
    phone_number: '+18015550117',
  },
} satisfies Partial<NewOrder>
