import {
  notHandedOver,
  type AgeCheckMethod,
  type RefusedHandOverReason,
} from '@cellarhand/contract/door-checks'
import type { AgeCheck, IdReading } from '@cellarhand/contract/age-check-fields'
import { hasLiveCourier } from '@cellarhand/contract/order-guards'
import type { Statements } from '#platform/db/database.ts'
import { moveOrder, type MerchantStep } from '#orders/public.ts'

export interface RefusedHandOver {
  readonly reason: RefusedHandOverReason
  readonly method?: AgeCheckMethod | null
  readonly checked_by?: string | null
  readonly reading?: IdReading | null
  readonly note?: string | null
  /** The version that the clerk saw. */
  readonly version?: number
}

/** The bottles did not change hands: the order returns to the shop, to its former status, with the reason. */
export async function bringBack(
  statements: Statements,
  step: MerchantStep,
  refused: RefusedHandOver,
): Promise<string> {
  const { reason, note } = refused
  const age_check: AgeCheck = {
    result: reason === 'nobody_there' ? 'not_made' : 'refused',
    reason,
    method: refused.method ?? null,
    checked_by: refused.checked_by?.trim() || step.actor.name,
    checked_at: new Date(statements.clock.nowMs()).toISOString(),
    ...(refused.reading && { reading: refused.reading }),
  }
  const said = note?.trim()
  return moveOrder(statements, { ...step, seenVersion: refused.version, action: 'bring_back' }, (order) => ({
    patch: {
      age_check,
      delivery_info: null,
      courier_info:
        order.courier_info !== null && hasLiveCourier(order)
          ? { ...order.courier_info, order_status: 'ORDER_FAILED' }
          : order.courier_info,
    },
    comment: `${notHandedOver(reason)}${said ? `. ${said}` : ''}`,
    details: age_check,
  }))
}
