import type { RecordedOfId } from '@cellarhand/contract/age-check-fields'
import { recordedFields } from '@cellarhand/contract/door-checks'
import type { Duty } from '@cellarhand/contract/duties'
import type { Statements } from '#platform/db/database.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import type { OrderKey } from './lock-order.ts'

export const checkFieldsPurpose = 'fields of ID checks'

/** What the rules make the shop record of the ID, as the driver typed it. */
interface Recorded {
  /** The rules that ask for it: without one, nothing of an ID is stored. */
  readonly rules: readonly string[]
  readonly fields: RecordedOfId
}

/** Undefined where no rule asks for any of it. */
export function recordedFor(
  must: readonly Duty[],
  typed: RecordedOfId | null | undefined,
): Recorded | undefined {
  const asking = must.filter(({ record }) => record?.some((name) => typed?.[name]))
  if (!typed || asking.length === 0) return undefined
  const names = recordedFields.filter(
    (name) => typed[name] && asking.some(({ record }) => record?.includes(name)),
  )
  return {
    rules: asking.map(({ rule }) => rule),
    fields: Object.fromEntries(names.map((name) => [name, typed[name]])),
  }
}

/** Keeps it sealed. The rules decide when it goes. */
export async function keepCheckFields(
  { query }: Statements,
  { seal }: Pick<Sealer, 'seal'>,
  { merchantId, orderId, checkedAt, rules, fields }: OrderKey & Recorded & { readonly checkedAt: string },
): Promise<void> {
  await query(
    `insert into age_check_fields (merchant_id, order_id, checked_at, rule_id, fields_sealed)
     values ($1, $2, $3, $4, $5) on conflict (merchant_id, order_id, checked_at) do nothing`,
    [merchantId, orderId, checkedAt, rules.join(' '), seal(JSON.stringify(fields))],
  )
}
