import { formatDollars, toCents, toDollars } from '@cellarhand/contract/money'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { RejectionMessage, ReportKind } from '@cellarhand/contract/rejection-message'
import { commentProblem, maxCommentLength, priceProblem } from '@cellarhand/contract/validation'
import { refuse } from '#platform/http/refuse.ts'
import type { StoredOrder } from './stored-order.ts'

function invalid(problem: string): never {
  return refuse('validation_failed', { errors: { rejection_message: problem } })
}

/** Reads a clerk's report on an order's lines; refuses any other shape. */
export function parseReport(text: string | null | undefined, order: StoredOrder): RejectionMessage {
  if (text === null || text === undefined || text === '') return {}
  let report: unknown
  try {
    report = JSON.parse(text)
  } catch {
    return invalid('Must be JSON text')
  }
  if (!isRecord(report)) return invalid('Must be a JSON object')
  const known = new Set(ownLines(order).map(({ item }) => rejectionKey(item)))
  const message: RejectionMessage = {}
  for (const [reason, lines] of Object.entries(report)) {
    if (reason !== 'outOfStock' && reason !== 'wrongPrice') {
      if (reason === 'orderRejected' || reason === 'other') continue
      return invalid(`"${reason.slice(0, 40)}" is no reason; use outOfStock or wrongPrice`)
    }
    if (!isRecord(lines)) return invalid(`${reason} must map product ids to entries`)
    message[reason] = Object.fromEntries(
      Object.entries(lines).map(([line, entry]) => [line, parseEntry(reason, entry, known.has(line))]),
    )
  }
  return message
}

function parseEntry(reason: ReportKind, entry: unknown, isKnown: boolean) {
  if (!isKnown) return invalid('Every entry must belong to a line of this order')
  if (!isRecord(entry) || entry['checked'] !== true) return invalid('Every entry must have "checked": true')
  if (reason === 'wrongPrice') {
    const price = entry['price']
    const problem = priceProblem(price)
    if (problem !== undefined) return invalid(problem)
    return { checked: true, price: toDollars(toCents(Number(price))) }
  }
  const text = entry['reason'] ?? ''
  if (typeof text !== 'string' || /[\0\p{Surrogate}]/u.test(text)) return invalid('The reason must be a text')
  const problem = commentProblem(text)
  if (problem !== undefined) return invalid(problem)
  return { checked: true, reason: text }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Existing entries stay: a line can be reported once for each reason. */
export function mergeReport(
  before: RejectionMessage,
  report: RejectionMessage,
): { message: RejectionMessage; added: number } {
  const message: RejectionMessage = { ...before }
  let added = 0
  for (const [reason, lines] of Object.entries(report)) {
    const standing = before[reason] ?? {}
    added += Object.keys(lines).filter((line) => !Object.hasOwn(standing, line)).length
    message[reason] = { ...lines, ...standing }
  }
  return { message, added }
}

/** Reports every line of a rejected order. */
export function rejectAllLines(
  before: RejectionMessage,
  order: StoredOrder,
  reason: string,
): RejectionMessage {
  const entries = ownLines(order).map(({ item }) => [rejectionKey(item), { checked: true, reason }] as const)
  return { ...before, orderRejected: Object.fromEntries(entries) }
}

/** What was reported of an order's lines, as the comment that the on-hold tab shows: "Out of stock: Gin, within 48 hrs". */
export function reportComment({ outOfStock, wrongPrice }: RejectionMessage, order: StoredOrder): string {
  const words = ownLines(order).flatMap(({ item }) => {
    const key = rejectionKey(item)
    const [missing, priced] = [outOfStock?.[key], wrongPrice?.[key]]
    return [
      missing && `Out of stock: ${[item.name, missing.reason].filter(Boolean).join(', ')}`,
      priced && `Wrong price: ${item.name}, ${formatDollars(priced.price ?? 0)}`,
    ].filter((text) => text !== undefined)
  })
  const letters = [...words.join('; ')]
  return letters.length > maxCommentLength
    ? `${letters.slice(0, maxCommentLength - 1).join('')}…`
    : letters.join('')
}

/** The comment of a change that nobody gave words for. Its history row needs none: it says the same by itself. */
export function ownComment(
  comment: string | null,
): Pick<StoredOrder, 'status_comment' | 'status_recent_comment'> {
  return { status_comment: comment, status_recent_comment: comment }
}
