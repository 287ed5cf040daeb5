import { idCheckLabels, idCheckWords, readingWords } from '@cellarhand/contract/age-check'
import { actionLabels } from '@cellarhand/contract/decisions'
import { ageCheckMethodLabels } from '@cellarhand/contract/door-checks'
import { displayGroupLabels, tabLabels } from '@cellarhand/contract/labels'
import type { AgeCheck } from '@cellarhand/contract/age-check-fields'
import type { HistoryEntry, Order } from '@cellarhand/contract/orders'
import { formatDollars } from '@cellarhand/contract/money'
import { labelFixOf } from '@cellarhand/contract/label-fixes'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { RejectionMessage } from '@cellarhand/contract/rejection-message'
import { readRejection } from '@cellarhand/contract/rejection-message'
import { namedAs } from '@cellarhand/contract/product-name'
import { displayGroupOf, isLocal, statusFromWire, tabOf } from '@cellarhand/contract/order-statuses'
import { config } from '#lib/calls/config.ts'
import { reportWords } from '../order/reported.ts'

/** The action, in words. The carrier said nothing of a parcel that closed by itself. */
export function titleOf({ action, details }: Pick<HistoryEntry, 'action' | 'details'>): string {
  if (action === 'carrier_deliver' && details === null) return 'Closed'
  const labels: Record<string, string> = actionLabels
  return labels[action] ?? capitalized(plain(action))
}

/** The recorded ID check at the door. */
export function idCheckOf({ action, details }: HistoryEntry, order: Order): string | null {
  if (action === 'bring_back') return idCheckLabels[checkIn(details)?.result ?? 'not_made']
  const isDelivery = action === 'deliver' || action === 'courier_deliver'
  return isDelivery && isLocal(order.delivery.method) ? idCheckWords(order) : null
}

/** Bringing an order back keeps the check at the door as its details. */
function checkIn(details: HistoryEntry['details']): Partial<AgeCheck> | null {
  return details
}

/** The action's author; a new order names the shop in which it was bought. */
export function sourceOf(entry: HistoryEntry, order: Order): string {
  if (entry.action !== 'submit') return entry.actor && `by ${entry.actor}`
  return `from ${order.application_brand_name ?? order.application_name ?? entry.actor}`
}

/** "New → Accepted"; nothing if the order's group in the list has not changed. */
export function statusChangeOf({ from, to }: HistoryEntry, order: Order): string {
  if (from === null) return ''
  const [before, after] = [placeOf(from, order), placeOf(to, order)]
  return before === after ? '' : `${before} → ${after}`
}

function placeOf(wireStatus: string, { delivery }: Order): string {
  const status = statusFromWire(wireStatus)
  if (!status) return wireStatus
  return tabOf(status, delivery.method) === 'on_hold'
    ? tabLabels.on_hold
    : displayGroupLabels[displayGroupOf(status, null)]
}

/** The other changes, one line each. */
export function changesOf({ action, details }: HistoryEntry, order: Order): string[] {
  if (details === null) return []
  if (action === 'report_items') return reportedLines(details as RejectionMessage, order)
  const kept = details['rejection_message']
  if (action === 'resume') return typeof kept === 'string' ? reportedLines(readRejection(kept), order) : []
  if (action === 'bring_back') {
    const { method, checked_by: by, reading } = checkIn(details) ?? {}
    return [
      method && `ID shown: ${ageCheckMethodLabels[method]}`,
      reading && readingWords(reading),
      by && `At the door: ${by}`,
    ].filter((text) => typeof text === 'string')
  }
  if (action === 'label_failed') {
    const { code, reason } = details
    // The server stores the words of the wire, which name the product as the specification does.
    const named = typeof reason === 'string' ? namedAs(config.productName, reason) : undefined
    return [named, labelFixOf(code)].filter((text) => text !== undefined)
  }
  if (action === 'courier_proof') {
    const { signed_by: signer, id_check: check } = details
    return [signer && `Signed by: ${String(signer)}`, `ID check: ${String(check)}`].filter(
      (text) => typeof text === 'string',
    )
  }
  if (action === 'came_back') return [cameBackWords(details as unknown as CameBack)]
  if (action === 'pick') return pickedLines(details['bottles'])
  // Its label is the comment already.
  if (action === 'reject' || action === 'reject_partly') {
    const fee = details['restocking_fee']
    return typeof fee === 'number' ? [`Restocking fee told to the marketplace: ${formatDollars(fee)}`] : []
  }
  return Object.entries(details).flatMap(([name, value]) => {
    if (typeof value === 'string' && value !== '') return [`${capitalized(plain(name))}: ${wordsOf(value)}`]
    return typeof value === 'number' ? [`${capitalized(plain(name))}: ${value}`] : []
  })
}

interface CameBack {
  readonly bottles: number
  readonly of: number
}

/** "2 of 3 bottles are back in the shop". */
export function cameBackWords({ bottles, of }: CameBack): string {
  if (of === 1) return 'The bottle is back in the shop'
  return bottles === of
    ? `All ${of} bottles are back in the shop`
    : `${bottles} of ${of} bottles are back in the shop`
}

interface PickedLine {
  readonly name: string
  readonly pieces: readonly { readonly how: 'scan' | 'hand'; readonly by: string; readonly at: string }[]
}

/** "Gin: 2 scanned by Ada Marsh, 1 by hand by Bo Lind". */
function pickedLines(bottles: unknown): string[] {
  return ((bottles ?? []) as PickedLine[]).map(({ name, pieces }) => {
    const counts = new Map<string, number>()
    for (const { how, by } of pieces) {
      const words = `${how === 'scan' ? 'scanned' : 'confirmed by hand'} by ${by}`
      counts.set(words, (counts.get(words) ?? 0) + 1)
    }
    return `${name}: ${[...counts].map(([words, count]) => `${count} ${words}`).join(', ')}`
  })
}

function reportedLines(reports: RejectionMessage, order: Order): string[] {
  const keys = new Set(
    [reports['outOfStock'], reports['wrongPrice']].flatMap((lines) => Object.keys(lines ?? {})),
  )
  return [...keys].map((key) => {
    const name =
      ownLines(order).find(({ item }) => rejectionKey(item) === key)?.item.name ?? 'A line that is gone'
    return `${name}: ${reportWords(reports, key).join(', ')}`
  })
}

/** "ORDER_PICKED_UP" in plain words; any other text unchanged. */
function wordsOf(value: string): string {
  return /^[A-Z]+(_[A-Z]+)+$/.test(value) ? plain(value.replace(/^ORDER_/, '')) : value
}

function plain(name: string): string {
  return name.replaceAll('_', ' ').toLowerCase()
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
