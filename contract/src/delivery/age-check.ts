import type { AgeCheck, IdReading } from './age-check-fields.ts'
import { isLocal, type OrderStatus } from '../orders/order-statuses.ts'

/** The words about an ID check. They come from the record alone: a check that nobody recorded is never claimed. */

interface Delivered {
  readonly status: OrderStatus
  readonly delivery: { readonly method: string }
  readonly delivery_info: { readonly delivered_on: string | null } | null
  readonly age_check?: Pick<AgeCheck, 'result'> | null
  readonly duties?: { readonly relied_on?: { readonly service: string } } | undefined
}

export const idCheckLabels: Record<AgeCheck['result'], string> = {
  passed: 'ID checked',
  refused: 'ID refused',
  not_made: 'ID check not recorded',
}

/** The recorded check of the delivery itself. A refusal belongs to an earlier visit, which delivered nothing. */
export function idCheckWords({ age_check: check, duties }: Pick<Delivered, 'age_check' | 'duties'>): string {
  const service = duties?.relied_on?.service
  if (check?.result !== 'passed' && service !== undefined) return `ID check left to ${service}`
  return idCheckLabels[check?.result === 'passed' ? 'passed' : 'not_made']
}

/**
 * The last stage of an order's road: the record once it is closed, the work to be done before that. A parcel also closes
 * by itself after some days, and a dispute may end before anybody reported a delivery.
 */
export function deliveredWords(order: Delivered, by = ''): string {
  if (order.status === 'CLOSED' && !order.delivery_info?.delivered_on) return 'Closed, delivery not reported'
  if (!isLocal(order.delivery.method)) return 'Delivered'
  if (order.status === 'CLOSED') return `Delivered, ${idCheckWords(order)}`
  const result = order.age_check?.result
  if (result === 'passed') return `Deliver${by}, ${idCheckLabels.passed}`
  const earlier = result === 'refused' ? ` (${idCheckLabels.refused} before)` : ''
  return `Deliver${by}, check ID${earlier}`
}

type Recorded = Pick<AgeCheck, 'result' | 'reading'> | null | undefined

/** Whether the check on record is the one that a rule asks for: a rule may take a scan of the ID alone. */
export function isCheckedAs(duty: { readonly is_electronic?: boolean }, check: Recorded): boolean {
  return check?.result === 'passed' && (!duty.is_electronic || check.reading?.how === 'scanned')
}

/** What the dates of the ID said, and how they were read. */
export function readingWords({ how, is_over_21: isOver, is_expired: isExpired }: IdReading): string {
  const age = isOver ? '21 or over' : 'under 21'
  return `ID ${how}: ${age}, ${isExpired ? 'expired' : 'not expired'}`
}
