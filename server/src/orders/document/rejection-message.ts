import { isBinding } from '@cellarhand/contract/agreed-order'
import { formatDollars, toCents, toDollars } from '@cellarhand/contract/money'
import { missingByKey, orderedByKey, partWords } from '@cellarhand/contract/missing-pieces'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import { ownLines } from '@cellarhand/contract/order-lines'
import { readRejection, type RejectionMessage, type ReportKind } from '@cellarhand/contract/rejection-message'
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
  return { checked: true, reason: text, ...parseQuantity(entry) }
}

/** `missing` marks a copy of a stored report: it adds nothing. */
function parseQuantity({ quantity, missing }: Record<string, unknown>): {
  quantity?: number
  missing?: number
} {
  if (quantity === undefined || quantity === null) {
    return typeof missing === 'number' ? { missing } : {}
  }
  if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 1)
    return invalid('The quantity must be a whole number above 0')
  return { quantity }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Existing entries stay: a line can be reported once for each reason. The missing pieces of a line add up. */
export function mergeReport(
  order: StoredOrder,
  report: RejectionMessage,
): { message: RejectionMessage; added: number } {
  const before = readRejection(order.rejection_message)
  const [ordered, gone] = [orderedByKey(order), missingByKey(order)]
  const message: RejectionMessage = { ...before }
  let added = 0
  for (const [reason, lines] of Object.entries(report)) {
    const merged = new Map(Object.entries(before[reason] ?? {}))
    for (const [line, entry] of Object.entries(lines)) {
      const standing = merged.get(line)
      if (entry.missing !== undefined || (standing && standing.missing === undefined && !entry.quantity))
        continue
      if (reason === 'outOfStock') requireUnasked(order, line)
      const count = { ordered: ordered.get(line) ?? 0, gone: gone.get(line) ?? 0 }
      merged.set(line, addedUp(entry, count))
      added += 1
    }
    message[reason] = Object.fromEntries(merged)
  }
  return { message, added }
}

/** The customer was asked about so many pieces. */
function requireUnasked(order: StoredOrder, key: string): void {
  const lines = new Set(ownLines(order).flatMap(({ item }) => (rejectionKey(item) === key ? [item.id] : [])))
  const offer = order.substitutes?.offers.find((each) => isBinding(each) && lines.has(each.line_id))
  if (offer === undefined) return
  invalid(
    offer.state === 'offered'
      ? 'The customer is being asked about substitutes for this line. Withdraw them first, then report it.'
      : 'The customer has answered about substitutes for this line already',
  )
}

function tooMany({ ordered, gone }: { ordered: number; gone: number }): string {
  if (gone === 0) return `Only ${ordered} of this line were ordered`
  if (gone === ordered) return `All ${ordered} of this line are reported already`
  return `${gone} of ${ordered} are reported already; report at most ${ordered - gone} more`
}

type Entry = RejectionMessage[string][string]

/** The last missing piece makes it a report of the whole line, as it is without a quantity. */
function addedUp({ quantity, ...entry }: Entry, { ordered, gone }: { ordered: number; gone: number }): Entry {
  if (quantity === undefined) return entry
  const left = ordered - gone
  if (quantity > left) {
    return invalid(tooMany({ ordered, gone }))
  }
  return quantity === left ? entry : { ...entry, missing: gone + quantity, of: ordered }
}

/** A report for the history: beside the new pieces it says how many of the line are missing by now. */
export function reportDetails(report: RejectionMessage, message: RejectionMessage): RejectionMessage {
  const { outOfStock: lines } = report
  if (lines === undefined) return report
  const merged = new Map(Object.entries(message['outOfStock'] ?? {}))
  const told = Object.entries(lines).map(
    ([line, entry]) =>
      [line, entry.quantity === undefined ? entry : { ...merged.get(line), ...entry }] as const,
  )
  return { ...report, outOfStock: Object.fromEntries(told) }
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

/** The reports of an order's lines, as the comment that the on-hold tab shows: "Out of stock: Gin, within 48 hrs". */
export function reportComment({ outOfStock, wrongPrice }: RejectionMessage, order: StoredOrder): string {
  const words = ownLines(order).flatMap(({ item }) => {
    const key = rejectionKey(item)
    const [missing, priced] = [outOfStock?.[key], wrongPrice?.[key]]
    return [
      missing &&
        `Out of stock: ${[[partWords(missing), item.name].filter(Boolean).join(' '), missing.reason].filter(Boolean).join(', ')}`,
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
