import type { Order } from '@cellarhand/contract/orders'
import { expect } from 'vitest'
import type { Desk, DeskCalls, Person, Shop } from './desk.ts'

export const unknown = 'UNKNOWN-DESTINATION'
export const utah = 'No rule that this shop has confirmed allows to ship these bottles to Utah.'

/** The owner's decision about a rule, which is to confirm it if nothing else is given. */
export async function decideRule(
  desk: DeskCalls,
  shop: Shop,
  { rule, body = { decision: 'confirmed' } }: { rule: string; body?: object },
): Promise<void> {
  const { status } = await desk.call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
    as: shop.owner,
    params: { tmk: shop.key, rule },
    body,
  })
  expect(status).toBe(200)
}

/** What the tests of the rules do at a desk. */
export function dutiesAt(deskOf: () => Desk) {
  async function decide(shop: Shop, rule: string, body: object = { decision: 'confirmed' }) {
    return deskOf().call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
      as: shop.owner,
      params: { tmk: shop.key, rule },
      body,
    })
  }

  /** A shop of New York that has signed that it ships within its own state, and so nowhere else. */
  async function careful(): Promise<Shop> {
    const shop = await deskOf().openShop()
    expect((await decide(shop, 'US-HOME-STATE')).status).toBe(200)
    return shop
  }

  async function pass(
    shop: Shop,
    order: Order,
    { rule = unknown, as = shop.owner, version }: { rule?: string; as?: Person; version?: number } = {},
  ) {
    return deskOf().call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/pass', {
      as,
      params: { tmk: shop.key, id: order.id },
      body: {
        rule,
        reason: 'The brand holds a licence there',
        ...(version === undefined ? {} : { version }),
      },
    })
  }

  async function read(shop: Shop, id: string) {
    return (await deskOf().call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
  }

  async function listed(shop: Shop, query: Record<string, string>) {
    const answer = await deskOf().call('GET /m/v2/merchant/{tmk}/orders/optimized', {
      as: shop.member,
      params: { tmk: shop.key },
      query,
    })
    return answer.body
  }

  return { decide, careful, pass, read, listed }
}
