import type { TSchema } from 'typebox'
import { DuplicateRefusal } from '../marketplace/marketplace.ts'
import { TransitionRefusal } from '../orders/orders.ts'
import { labelErrors } from '../shipping/label-errors.ts'
import { buyLabels, LabelRefusal } from '../shipping/shipping.ts'
import type { Endpoint } from './endpoint.ts'
import { Problem } from './problem.ts'
import type { RefusalCode } from './refusals.ts'

/** The refusals that carry more than the usual fields. */
const bodies: Partial<Record<RefusalCode, TSchema>> = {
  invalid_transition: TransitionRefusal,
  presale_not_ready: TransitionRefusal,
  duty_forbids: TransitionRefusal,
  courier_not_available: TransitionRefusal,
  courier_under_way: TransitionRefusal,
  order_taken: TransitionRefusal,
  substitutes_offered: TransitionRefusal,
  substitutes_answered: TransitionRefusal,
  labels_partly_voided: TransitionRefusal,
  duplicate_order: DuplicateRefusal,
}

/** The body of a call's refusal. */
export function problemBodyOf(endpoint: Endpoint, code: RefusalCode): TSchema {
  const isOfLabels = code === 'label_refused' || Object.hasOwn(labelErrors, code)
  if (endpoint === buyLabels && isOfLabels) return LabelRefusal
  return bodies[code] ?? Problem
}
