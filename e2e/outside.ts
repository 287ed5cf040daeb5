import { randomUUID } from 'node:crypto'
import type { Api } from '@cellarhand/contract/api'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order } from '@cellarhand/contract/orders'
import { basic, callsOver, type MakeCall } from '../server/seed/calls.ts'
import { anOrder } from '../server/test/orders.ts'

type Decision = Api['PUT /m/v2/merchant/{tmk}/duties/{rule}']['body']

/** The parties that act on orders without a browser: the marketplace, the carriers, and a clerk at another till. */
export interface Outside {
  readonly call: MakeCall
  /** An order from the marketplace: the usual parcel of one bottle, with the given changes. */
  order(merchant: string, changes?: Partial<NewOrder>): Promise<Order>
  tell(order: Order, change: { status: string; comment?: string }): Promise<Order>
  carrier(order: Order, event: 'in_transit' | 'delivered' | 'failed', trackingCode: string): Promise<Order>
  /** A clerk's call on an order, with an Authorization header such as `bearerOf` gives. */
  update(as: string, order: Order, body: object): Promise<Order>
  /** An owner's decision about a rule, which is to confirm it if nothing else is given. */
  decideRule(as: string, of: { merchant: string; rule: string; body?: Decision }): Promise<unknown>
  /** Connects a carrier account, without which no label can be bought. */
  connectCarrier(as: string, merchant: string): Promise<unknown>
}

const marketplace = basic('marketplace:marketplace')

export function outsideOf(url: string): Outside {
  const call = callsOver(async ({ method, path, headers, body }) => {
    const reply = await fetch(new URL(path, url), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    return { status: reply.status, text: await reply.text() }
  })
  const asMarketplace = ({ id }: Order) => ({ as: marketplace, params: { id }, key: randomUUID() })
  return {
    call,
    order: (merchant, changes) =>
      call('POST /marketplace/v1/orders', {
        as: marketplace,
        key: randomUUID(),
        body: anOrder(merchant, changes),
      }),
    tell: (order, body) => call('POST /marketplace/v1/orders/{id}/status', { ...asMarketplace(order), body }),
    carrier: (order, event, trackingCode) =>
      call('POST /marketplace/v1/orders/{id}/carrier_events', {
        ...asMarketplace(order),
        body: { event, tracking_code: trackingCode },
      }),
    update: (as, { id }, body) =>
      call('PUT /m/v2/orders/{id}', { as, params: { id }, key: randomUUID(), body: body as never }),
    decideRule: (as, { merchant: tmk, rule, body = { decision: 'confirmed' } }) =>
      call('PUT /m/v2/merchant/{tmk}/duties/{rule}', { as, params: { tmk, rule }, key: randomUUID(), body }),
    connectCarrier: (as, tmk) =>
      call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
        as,
        params: { tmk },
        body: {
          carrier: 'UPS',
          account_number: 'A1B2C3',
          account_zip: '10004',
          label_size: '4x6',
          label_format: 'PDF',
        },
      }),
  }
}
