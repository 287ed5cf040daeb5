import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order } from '@cellarhand/contract/orders'
import type { Page } from '@playwright/test'
import type { Outside } from '../../e2e/outside.ts'
import type { Shop } from '../../e2e/shop.ts'
import type { Hand } from './hand.ts'

/** A shop of its own for one way through one job. */
export interface Ground {
  readonly outside: Outside
  readonly shop: Shop
  readonly bearer: string
}

export type Way = (hand: Hand, orders: readonly Order[]) => Promise<void>

/** A job of a clerk, from the open list of some 720 orders to a state that the server confirms. */
export interface Job {
  readonly name: string
  readonly goal: { readonly mouse: number; readonly keys: number }
  /** The text that is typed beside the presses, in words. */
  readonly typed?: string
  prepare(ground: Ground): Promise<readonly Order[]>
  readonly ways: Readonly<Record<'mouse' | 'keys', Way>>
  /** With a hand scanner and without a press: in words where it begins, and of how many scans it may be. */
  readonly scans?: readonly { readonly from: string; readonly goal: number; readonly drive: Way }[]
  /** Whether the job is done, asked of the server until it is. */
  isDone(ground: Ground, orders: readonly Order[], page: Page): Promise<boolean>
}

export const onDemand = { method: 'on_demand' }

/** Of an order that has waited longest, so that it is the first of all that are open. */
export const dueFirst = () => ({ date_submitted: new Date(Date.now() - 5 * 86_400_000).toISOString() })

/** The order that is due first, accepted. */
export async function accepted(
  { outside, shop, bearer }: Ground,
  changes: Partial<NewOrder> = {},
): Promise<Order> {
  const order = await outside.order(shop.key, { ...dueFirst(), ...changes })
  return outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
}

/** Orders due one after the other, the first first. */
export async function sent(
  { outside, shop }: Ground,
  count: number,
  changes: Partial<NewOrder> = {},
): Promise<Order[]> {
  const orders: Order[] = []
  while (orders.length < count) orders.push(await outside.order(shop.key, changes))
  return orders
}

export function detail({ outside, bearer }: Ground, order: Pick<Order, 'id'> | undefined) {
  return outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order?.id ?? '' } })
}

export async function withCarrier({ outside, shop, bearer }: Ground): Promise<void> {
  await outside.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    as: bearer,
    params: { tmk: shop.key },
    body: {
      carrier: 'UPS',
      account_number: 'A1B2C3',
      account_zip: '10004',
      label_size: '4x6',
      label_format: 'PDF',
    },
  })
}
