import { isAboutAddress, isPoBox } from '@cellarhand/contract/label-errors'
import { messages } from '@cellarhand/contract/messages'
import { namedAs } from '@cellarhand/contract/product-name'
import { config } from '#lib/calls/config.ts'

interface Entry {
  readonly at: string
  readonly action: string
  readonly details?: Readonly<Record<string, unknown>> | null
}

interface Refusable {
  readonly recipient: { readonly street_1: string; readonly street_2: string | null }
  readonly history?: readonly Entry[]
}

/**
 * Why the last try bought no label. A failure stays until a label is bought, or the address that
 * it blames is corrected.
 */
export function recordedFailure(history: readonly Entry[] = []) {
  const newest = history.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  const last = newest.findIndex(({ action }) => action === 'label_failed')
  const { code, reason } = newest[last]?.details ?? {}
  const since = new Set(newest.slice(0, Math.max(last, 0)).map(({ action }) => action))
  const isOver = since.has('buy_labels') || (since.has('correct_address') && isAboutAddress(code))
  return typeof reason === 'string' && !isOver ? named({ code, reason }) : undefined
}

/** The same, or why the next try will fail. */
export function standingFailure({ history, recipient }: Refusable) {
  const isBox = isPoBox(recipient.street_1) || isPoBox(recipient.street_2 ?? '')
  return (
    recordedFailure(history) ?? (isBox ? named({ code: 'po_box', reason: messages.labelPoBox }) : undefined)
  )
}

/** The server stores the words of the wire, which name the product as the specification does. */
function named({ code, reason }: { code: unknown; reason: string }) {
  return { code, reason: namedAs(config.productName, reason) }
}
