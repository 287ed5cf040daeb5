import { carrierTermsOf, type CarrierTerms } from '@cellarhand/contract/carrier-terms'
import type { Answer, Duty, OrderDuties } from '@cellarhand/contract/duties'
import { dutiesOf } from '@cellarhand/contract/duties-of'
import { getDutyBook, type DutyBook } from '#duties/public.ts'
import { dayIn, toWallTime } from '#platform/clock/zoned-time.ts'
import type { Statements } from '#platform/db/database.ts'
import type { StoredOrder } from './stored-order.ts'

interface Asked {
  readonly book: DutyBook
  readonly nowMs: number
  /** The moment of a hand-over; without one the hours of the day are only told. */
  readonly handOverMs?: number | undefined
}

export function answerFor(order: StoredOrder, { book, nowMs, handOverMs }: Asked): Answer {
  const atMs = handOverMs ?? nowMs
  const time = handOverMs === undefined ? {} : { time: timeIn(handOverMs, book.timezone) }
  return dutiesOf(order, {
    shop: book,
    rules: book.rules,
    setAside: order.duties?.set_aside,
    at: { day: dayIn(atMs, book.timezone), ...time },
  })
}

function timeIn(atMs: number, timezone: string): string {
  const { hour, minute } = toWallTime(atMs, timezone)
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** The answer as the order carries it; undefined where there is nothing to carry and nothing was carried before. */
export function carriedDuties(answer: Answer, before: OrderDuties | undefined): OrderDuties | undefined {
  if (before === undefined && answer.block.length + answer.must.length === 0) return undefined
  return { ...before, block: answer.block.map(inShort), must: answer.must.map(inShort) }
}

export function inShort(duty: Duty): OrderDuties['block'][number] {
  const { rule, kind, words, text, is_doubtful } = duty
  return { rule, kind, words, ...(text !== undefined && { text }), ...(is_doubtful && { is_doubtful }) }
}

/** What the shop's rules ask of a parcel of this order by a carrier. */
export async function getCarrierTerms(
  statements: Statements,
  merchantId: string,
  { order, carrier }: { order: StoredOrder; carrier: string },
): Promise<CarrierTerms> {
  const book = await getDutyBook(statements, merchantId)
  const at = { day: dayIn(statements.clock.nowMs(), book.timezone) }
  return carrierTermsOf(order, { shop: book, rules: book.rules, at }, carrier)
}
