import type { Billing } from '@cellarhand/contract/billing'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { readMerchantSecret } from '#platform/outside/merchant-secrets.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import { taxIdSecret } from './sealed-fields.ts'

interface BillingRow {
  readonly terms_accepted_at: Date | null
  readonly individual: string | null
  readonly business: string | null
  readonly descriptor: string | null
  readonly routing_number: string | null
  readonly account_number_last_4: string | null
}

const noAddress = { region: null, postal_code: null, street_address: null, locality: null }
const noIndividual: Billing['individual'] = {
  first_name: null,
  last_name: null,
  phone: null,
  date_of_birth: null,
  email: null,
  address: noAddress,
}
const noBusiness = { legal_name: null, dba_name: null, address: noAddress }

export interface SealedStatements {
  readonly statements: Statements
  readonly sealer: Sealer
}

/** The account number never leaves the database; the screens show only its end (GAP-149). */
export async function getBilling(
  { statements, sealer }: SealedStatements,
  merchantId: string,
): Promise<Billing> {
  const [[row], taxId] = await Promise.all([
    statements.query<BillingRow>(
      `select terms_accepted_at, individual, business, descriptor, routing_number, account_number_last_4
       from billing_records where merchant_id = $1`,
      [merchantId],
    ),
    readMerchantSecret(statements, sealer, { merchantId, name: taxIdSecret }),
  ])
  const last4 = row?.account_number_last_4 ?? null
  const business = row?.business == null ? noBusiness : (JSON.parse(row.business) as typeof noBusiness)
  return {
    tos_accepted: row?.terms_accepted_at != null,
    individual:
      row?.individual == null ? noIndividual : (JSON.parse(row.individual) as Billing['individual']),
    funding: {
      descriptor: row?.descriptor ?? null,
      routing_number: row?.routing_number ?? null,
      account_number: last4 === null ? null : `*****${last4}`,
      account_number_last_4: last4,
    },
    business: { ...business, tax_id: taxId ?? null },
  }
}

/** The bank account in the shape of the older call; absent until the form was saved (GAP-10). */
export async function getLegacyAccount(db: Database, merchantId: string) {
  const [row] = await db.view(merchantId, ({ query }) =>
    query<BillingRow>(
      'select terms_accepted_at, descriptor, account_number_last_4 from billing_records where merchant_id = $1',
      [merchantId],
    ),
  )
  if (row?.account_number_last_4 == null) return refuse('not_found')
  return {
    id: merchantId,
    status: 'stored',
    tos_accepted: row.terms_accepted_at !== null,
    funding: { descriptor: row.descriptor, account_number_last_4: row.account_number_last_4 },
  }
}
