import type { Statements } from '../db/database.ts'
import type { Sealer } from '../sealed-text.ts'

export const merchantSecretsPurpose = 'merchant secrets'

interface SecretName {
  readonly merchantId: string
  /** The secret's use, such as `carrier account`; one secret per merchant and name. */
  readonly name: string
}

/** Stores a merchant's secret, such as a carrier account's password, sealed. It replaces an earlier one. */
export async function saveMerchantSecret(
  statements: Statements,
  sealer: Sealer,
  { merchantId, name, value }: SecretName & { value: string },
): Promise<void> {
  await statements.query(
    `insert into merchant_secrets (merchant_id, name, sealed) values ($1, $2, $3)
     on conflict (merchant_id, name) do update set sealed = excluded.sealed, changed_at = now()`,
    [merchantId, name, sealer.seal(value)],
  )
}

export async function readMerchantSecret(
  statements: Statements,
  sealer: Sealer,
  { merchantId, name }: SecretName,
): Promise<string | undefined> {
  const [row] = await statements.query<{ sealed: string }>(
    'select sealed from merchant_secrets where merchant_id = $1 and name = $2',
    [merchantId, name],
  )
  return row === undefined ? undefined : sealer.open(row.sealed)
}

export async function forgetMerchantSecret(
  statements: Statements,
  { merchantId, name }: SecretName,
): Promise<void> {
  await statements.query('delete from merchant_secrets where merchant_id = $1 and name = $2', [
    merchantId,
    name,
  ])
}
