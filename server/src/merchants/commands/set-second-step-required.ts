import type { Statements } from '#platform/db/database.ts'

export async function setSecondStepRequired(
  { query }: Statements,
  merchantId: string,
  isRequired: boolean,
): Promise<void> {
  await query('update merchants set two_step_required = $2 where merchant_id = $1', [merchantId, isRequired])
}
