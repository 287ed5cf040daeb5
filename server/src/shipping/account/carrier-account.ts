import type { LabelCarrier } from '@cellarhand/contract/carriers'
import type { CarrierAccount } from '@cellarhand/contract/shipping'
import type { Statements } from '#platform/db/database.ts'
import type { LabelFormat, LabelSize } from '../port/shipping-port.ts'

/** The merchant's secret of this name is the account number. */
export const accountSecretName = 'carrier account number'

export interface StoredAccount {
  readonly carrier: LabelCarrier
  readonly account_number_last_4: string
  readonly account_zip: string
  readonly label_size: LabelSize
  readonly label_format: LabelFormat
  readonly provider: string
  readonly provider_account: string
}

export async function findCarrierAccount(
  statements: Statements,
  merchantId: string,
): Promise<StoredAccount | undefined> {
  const [row] = await statements.query<StoredAccount>(
    `select carrier, account_number_last_4, account_zip, label_size, label_format, provider, provider_account
     from carrier_accounts where merchant_id = $1`,
    [merchantId],
  )
  return row
}

export function toWireAccount(account: StoredAccount): CarrierAccount {
  const { provider: _provider, provider_account: _account, ...shown } = account
  return { ...shown, status: 'connected' }
}
