import type { NewAgeCheck, AgeCheck } from '@cellarhand/contract/age-check-fields'
import { messages } from '@cellarhand/contract/messages'
import { isOver21 } from '@cellarhand/contract/over-21'
import { dayIn, isMoment, isRealDay } from '#platform/clock/zoned-time.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { isRealTimestamp } from './order-problems.ts'
import type { StoredOrder } from './stored-order.ts'
import type { Actor } from './write-order.ts'

export interface TypedDetails {
  readonly signed_by?: string | null | undefined
  readonly delivered_by?: string | null | undefined
  readonly delivered_on?: string | null | undefined
  readonly age_check?: NewAgeCheck | null | undefined
}

/** The clocks of two machines, and a clerk who types minutes. */
export const clockSkewMs = 60_000

/** The hand-over's time, recipient and driver; details saved earlier fill the gaps (GAP-134). */
function deliveryInfoOf(
  typed: TypedDetails | null | undefined,
  order: StoredOrder,
  nowMs: number,
): NonNullable<StoredOrder['delivery_info']> {
  const earlier = order.delivery_info
  const deliveredOn = typed?.delivered_on || earlier?.delivered_on || ''
  refuseInvalid({ delivered_on: problemOf(deliveredOn, order.date_submitted, nowMs) })
  return {
    signed_by: typed?.signed_by?.trim() || earlier?.signed_by || null,
    delivered_by: typed?.delivered_by?.trim() || earlier?.delivered_by || null,
    delivered_on: new Date(deliveredOn).toISOString(),
  }
}

/**
 * The order's changes at a hand-over. By default the driver checked the age, at the time of delivery. A check that was
 * saved earlier stays.
 */
export function handOverPatch(
  typed: TypedDetails | null | undefined,
  order: StoredOrder,
  { actor, nowMs, timezone }: { actor: Actor; nowMs: number; timezone: string },
): { delivery_info: NonNullable<StoredOrder['delivery_info']>; age_check?: AgeCheck } {
  const delivery_info = deliveryInfoOf(typed, order, nowMs)
  const check = typed?.age_check
  if (!check) return { delivery_info }
  const day = dayIn(Date.parse(delivery_info.delivered_on ?? '') || nowMs, timezone)
  refuseInvalid({
    'age_check.reading': problemOfReading(check.reading),
    'age_check.fields.birth_date': problemOfBirthDate(check.fields?.birth_date, day),
  })
  const age_check: AgeCheck = {
    result: 'passed',
    reason: null,
    method: check.method,
    checked_by: check.checked_by?.trim() || delivery_info.delivered_by || actor.name,
    checked_at: delivery_info.delivered_on ?? new Date(nowMs).toISOString(),
    ...(check.reading && { reading: check.reading }),
  }
  return { delivery_info, age_check }
}

const under21 = 'The recipient is under 21: the order comes back to the store'

/** Bottles go to nobody whose ID says no; such a check is a refusal, with a call of its own. */
function problemOfReading(reading: NewAgeCheck['reading']): string | undefined {
  if (!reading) return undefined
  if (!reading.is_over_21) return under21
  return reading.is_expired ? 'The ID has expired: the order comes back to the store' : undefined
}

/** What a rule makes the driver write down of the ID may say no, too. `day` is the shop's, of the hand-over. */
function problemOfBirthDate(born: string | null | undefined, day: string): string | undefined {
  if (!born) return undefined
  if (!isRealDay(born)) return 'Is not a real date'
  return isOver21(born, day) ? undefined : under21
}

function problemOf(deliveredOn: string, submitted: string, nowMs: number): string | undefined {
  if (deliveredOn === '') return messages.deliveredFieldsRequired
  if (!isMoment(deliveredOn) || !isRealTimestamp(deliveredOn))
    return 'Must be a date and time with its zone, such as 2026-11-20T18:12:00-05:00'
  if (Date.parse(deliveredOn) > nowMs + clockSkewMs) return 'The delivery time must not be in the future'
  // Clerks type minutes, so the minute of the submission counts as late enough.
  if (Date.parse(deliveredOn) < Math.floor(Date.parse(submitted) / 60_000) * 60_000)
    return 'The delivery time must not be before the order was submitted'
  return undefined
}
