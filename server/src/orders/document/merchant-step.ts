import type { Staff } from '#platform/http/caller.ts'
import type { OrderKey } from './lock-order.ts'
import { actorOf, type Actor } from './write-order.ts'

/** A step of the merchant's staff with one order. */
export interface MerchantStep extends OrderKey {
  readonly actor: Actor
  readonly seenVersion?: number | undefined
}

/** The order of the call's path. */
export function stepOf({ caller, params }: { caller: Staff; params: { id: string } }): MerchantStep {
  return { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
}
