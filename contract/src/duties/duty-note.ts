import { stateCode, usStates } from '../values/us-states.ts'
import type { OrderDuties } from './duties.ts'
import { isAskedAgain } from '../orders/needs-look.ts'
import type { OrderStatus } from '../orders/order-statuses.ts'

interface Noted {
  readonly status: OrderStatus
  readonly delivery: { readonly method: string }
  readonly recipient: { readonly state: string }
  readonly age_check?: { readonly result: string } | null | undefined
  readonly duties?: OrderDuties | undefined
}

type Kind = OrderDuties['block'][number]['kind']

/**
 * What the rules ask of an order in a word or two, for its row in the list: why it is held, else what is missing, else
 * what has to happen at the door. Undefined where that is nothing.
 */
export function dutyNoteOf(order: Noted): string | undefined {
  const { duties } = order
  if (duties === undefined) return undefined
  const isOpen = isAskedAgain(order)
  if (isOpen && duties.block.length > 0) return heldWords(duties, order)
  const [missing] = duties.missing ?? []
  if (missing !== undefined) return missingWords[missing.kind] ?? 'No courier’s proof'
  if (!isOpen) return undefined
  const asks = (kind: Kind) => duties.must.some((each) => each.kind === kind)
  if (asks('age_check') && order.age_check?.result !== 'passed') return 'ID check at the door'
  return asks('adult_signature') ? 'Adult signature' : undefined
}

const missingWords: Partial<Record<Kind, string>> = {
  age_check: 'No ID check',
  hours: 'Delivered too late',
}

/** The reason to give when a held order is rejected; empty for a hold that says too little to a customer. */
export function heldReasonOf({ duties, ...order }: Omit<Noted, 'status'>): string {
  const reasons: Partial<Record<Kind, string>> = {
    destination: `We cannot ship to ${placeOf(order) ?? 'this address'}`,
    po_box: 'We cannot ship to a PO box',
    dry_area: 'We cannot deliver to this area',
    quantity_limit: 'This is more than one person may buy at once',
  }
  const [first] = duties?.block ?? []
  return (first && reasons[first.kind]) ?? ''
}

function placeOf({ recipient }: Pick<Noted, 'recipient'>): string | undefined {
  const code = stateCode(recipient.state)
  return usStates.find(([each]) => each === code)?.[1]
}

function heldWords({ block, asked = [] }: OrderDuties, order: Noted): string {
  if (block.some(({ rule }) => asked.includes(rule))) return 'Owner asked'
  const reasons = [...new Set(block.map(({ kind }) => heldBy(kind, order)))]
  const [first, ...more] = reasons
  return `Held: ${first}${more.length === 0 ? '' : `, +${more.length}`}`
}

function heldBy(kind: Kind, order: Noted): string {
  const reasons: Partial<Record<Kind, string>> = {
    destination: placeOf(order) ?? 'unknown state',
    po_box: 'PO box',
    dry_area: 'dry area',
    quantity_limit: 'too many litres',
    hours: 'hours',
  }
  return reasons[kind] ?? 'by a rule'
}
