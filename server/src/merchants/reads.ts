import type { Hours, Merchant } from '@cellarhand/contract/merchants'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'

interface MerchantRow {
  readonly merchant_id: string
  readonly name: string
  readonly email: string
  readonly primary_phone: string
  readonly address: string
  readonly contacts: string
  readonly timezone: string
  readonly payment_set_up: boolean
  readonly merchant_account_id: string | null
  readonly carrier: string | null
}

async function getRow({ query }: Statements, merchantId: string): Promise<MerchantRow> {
  const [row] = await query<MerchantRow>(
    `select merchant_id, name, email, primary_phone, address, contacts, timezone, payment_set_up, merchant_account_id, carrier
     from merchants left join carrier_accounts using (merchant_id) where merchant_id = $1`,
    [merchantId],
  )
  return row ?? refuse('not_found')
}

export async function getMerchant(statements: Statements, merchantId: string): Promise<Merchant> {
  const row = await getRow(statements, merchantId)
  return {
    id: row.merchant_id,
    name: row.name,
    email: row.email,
    primary_phone: row.primary_phone,
    address: JSON.parse(row.address) as Merchant['address'],
    aux_data: JSON.parse(row.contacts) as Merchant['aux_data'],
    timezone: row.timezone,
    carrier_integration: row.carrier === null ? null : { carrier: row.carrier, status: 'connected' },
    paymentSetUp: row.payment_set_up,
  }
}

export async function getPaymentAccountId(db: Database, merchantId: string): Promise<string> {
  const row = await db.read(merchantId, (statements) => getRow(statements, merchantId))
  return row.merchant_account_id ?? refuse('not_onboarded')
}

export async function getHours(db: Database, merchantId: string): Promise<Hours> {
  const [row] = await db.view(merchantId, ({ query }) =>
    query<{ regular_hours: string | null }>('select regular_hours from merchants where merchant_id = $1', [
      merchantId,
    ]),
  )
  if (row === undefined) refuse('not_found')
  return { regular_hours: JSON.parse(row.regular_hours ?? '[]') as Hours['regular_hours'] }
}
