import type { RecordedOfId } from '@cellarhand/contract/age-check-fields'
import { csvLine } from '@cellarhand/contract/order-csv'
import type { Sealer } from '#platform/sealed-text.ts'
import { listedAtMost, type Listed, type Sums } from './inspection-report.ts'
import type { OrderEvent, OrderProof, RecordsOfOrder, SealedFields } from './read-orders.ts'
import type { FoundSales } from './sales/sales-page.ts'
import type { Spool } from './spool.ts'

/** A server answers its requests between them: the records of an order are opened and written in a tenth of a millisecond. */
const ordersPerTurn = 20

/** Where the records of orders go: their lines, the rows that the paper lists, and the sums. */
export interface Records {
  readonly sums: Sums
  readonly listed: Listed
  readonly refusals: Spool
  readonly overrides: Spool
  readonly proofs: Spool
  readonly fields: Spool
  readonly checkFields: Pick<Sealer, 'open'>
}

type Relied = Pick<FoundSales, 'reliedOn'>

export async function keepAllRecords(
  found: Records,
  page: readonly RecordsOfOrder[],
  relied: Relied,
): Promise<void> {
  for (const [index, order] of page.entries()) {
    const { id, events, proofs, recorded } = order
    for (const event of events) keepEvent(found, id, event)
    for (const proof of proofs) keepProof(found, order, { ...proof, ...relied })
    for (const each of recorded) keepFields(found, id, each)
    if (index % ordersPerTurn === 0) await nextTurn()
  }
}

export const refusalHead = ['At', 'Order', 'Result', 'Reason', 'ID', 'By', 'Comment']
export const overrideHead = ['At', 'What', 'Rule', 'Order', 'By', 'Reason', 'Words or change']

function keepEvent(found: Records, orderId: string, { action, at, by, comment, ...event }: OrderEvent): void {
  const details = JSON.parse(event.details ?? '{}') as Readonly<Record<string, unknown>>
  const said = (name: string) => (typeof details[name] === 'string' ? details[name] : '')
  const moment = at.toISOString()
  if (action === 'pass_duty') {
    keepOverride(found, [
      moment,
      'one order let pass',
      said('rule'),
      orderId,
      by,
      said('reason'),
      said('words'),
    ])
    return
  }
  const result = said('result') || 'not handed over'
  const row = [
    moment,
    orderId,
    result,
    said('reason'),
    said('method'),
    said('checked_by') || by,
    comment ?? '',
  ]
  found.sums.refusals += 1
  if (found.listed.refusals.length < listedAtMost) found.listed.refusals.push(row)
  found.refusals.add(csvLine(row))
}

export function keepOverride(
  { sums, listed, overrides }: Pick<Records, 'sums' | 'listed' | 'overrides'>,
  row: readonly string[],
): void {
  sums.overrides += 1
  if (listed.overrides.length < listedAtMost) listed.overrides.push(row)
  overrides.add(csvLine(row))
}

export const proofHead = ['Order', 'Delivered at', 'By', 'Signed by', 'ID check', 'Signature']

function keepProof(
  { sums, listed, proofs }: Records,
  order: RecordsOfOrder,
  proof: OrderProof & Relied,
): void {
  const { is_id_checked: isChecked, has_picture: hasPicture } = proof
  const row = [
    order.id,
    proof.delivered_at.toISOString(),
    proof.service ?? '',
    proof.signed_by ?? '',
    isChecked === null ? untoldWords(order, proof) : isChecked ? 'passed' : 'not confirmed',
    hasPicture ? 'picture kept' : 'no picture',
  ]
  sums.proofs += 1
  if (hasPicture) sums.pictures += 1
  if (listed.proofs.length < listedAtMost) listed.proofs.push(row)
  proofs.add(csvLine(row))
}

/** The owner's word about a service that sends no result is no result. */
function untoldWords({ id }: RecordsOfOrder, { service, reliedOn }: OrderProof & Relied): string {
  const relied = reliedOn.get(id)
  return relied === undefined || relied.service !== service
    ? 'not told'
    : `not told; left to ${relied.service} under its agreement, confirmed by ${relied.by} on ${relied.on}`
}

export const fieldsHead = ['Order', 'Checked at', 'Rules', 'Name', 'Birth date', 'Address']

function keepFields({ fields, checkFields }: Records, orderId: string, recorded: SealedFields): void {
  const { name, birth_date: birthDate, address } = opened(checkFields, recorded)
  const at = recorded.checked_at.toISOString()
  fields.add(csvLine([orderId, at, recorded.rule, name, birthDate, address]))
}

/** An inspector gets all the others where the key of one is lost, and reads which one it is. */
function opened(checkFields: Pick<Sealer, 'open'>, { sealed }: SealedFields): RecordedOfId {
  try {
    return JSON.parse(checkFields.open(sealed)) as RecordedOfId
  } catch {
    return { name: 'sealed with a key that is not here', birth_date: '', address: '' }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
