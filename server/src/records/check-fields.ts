import type { Statements } from '#platform/db/database.ts'
import type { Sealer } from '#platform/sealed-text.ts'

export const checkFieldsPurpose = 'fields of ID checks'

interface CheckFields {
  readonly merchantId: string
  readonly orderId: string
  readonly checkedAt: Date
  /** The rule that asks for the fields: without one, nothing of an ID is stored. */
  readonly rule: string
  readonly fields: Readonly<Record<string, string>>
}

/** Keeps what a rule makes the desk record at a door. The rules decide when it goes (`purge-by-rule.ts`). */
export async function keepCheckFields(
  { query }: Statements,
  { seal }: Pick<Sealer, 'seal'>,
  { merchantId, orderId, checkedAt, rule, fields }: CheckFields,
): Promise<void> {
  await query(
    `insert into age_check_fields (merchant_id, order_id, checked_at, rule_id, fields_sealed)
     values ($1, $2, $3, $4, $5) on conflict (merchant_id, order_id, checked_at) do nothing`,
    [merchantId, orderId, checkedAt, rule, seal(JSON.stringify(fields))],
  )
}
