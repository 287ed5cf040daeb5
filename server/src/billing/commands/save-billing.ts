import type { Api } from '@cellarhand/contract/api'
import type { Billing } from '@cellarhand/contract/billing'
import { billingPaths, billingProblems, isMasked, type BillingPath } from '@cellarhand/contract/billing-rules'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { saveMerchantSecret } from '#platform/outside/merchant-secrets.ts'
import { getBilling, type SealedStatements } from '../reads.ts'
import { accountNumberSecret, taxIdSecret } from '../sealed-fields.ts'

type GivenBilling = Api['POST /c/v2/merchants/{tmk}/payments']['body']

/** Accepts the terms, saves the bank-account form, or both. Nobody can withdraw from the terms (GAP-150). */
export async function saveBilling(
  { statements, sealer }: SealedStatements,
  { merchantId, userId }: Pick<Staff, 'merchantId' | 'userId'>,
  given: GivenBilling,
): Promise<Billing> {
  const isForm = given.individual !== undefined || given.funding !== undefined || given.business !== undefined
  await statements.query(
    'insert into billing_records (merchant_id) values ($1) on conflict (merchant_id) do nothing',
    [merchantId],
  )
  const [known] = await statements.query<{
    terms_accepted_at: Date | null
    account_number_last_4: string | null
  }>(
    'select terms_accepted_at, account_number_last_4 from billing_records where merchant_id = $1 for update',
    [merchantId],
  )
  if (given.tos_accepted === true && known?.terms_accepted_at === null)
    await statements.query(
      'update billing_records set terms_accepted_at = now(), terms_accepted_by = $2 where merchant_id = $1',
      [merchantId, userId],
    )
  else if (isForm && known?.terms_accepted_at == null) refuse('tos_required')
  if (isForm) await saveForm({ statements, sealer }, merchantId, { given, known })
  return getBilling({ statements, sealer }, merchantId)
}

async function saveForm(
  { statements, sealer }: SealedStatements,
  merchantId: string,
  { given, known }: { given: GivenBilling; known: { account_number_last_4: string | null } | undefined },
): Promise<void> {
  const fields = fieldsOf(given)
  const keepsAccount = fields['funding.account_number'] === '' || isMasked(fields['funding.account_number'])
  if (keepsAccount && known?.account_number_last_4 != null)
    fields['funding.account_number'] = `*****${known.account_number_last_4}`
  else if (isMasked(fields['funding.account_number'])) fields['funding.account_number'] = ''
  refuseInvalid(billingProblems(fields))
  const taxId = fields['business.tax_id'].replaceAll('-', '')
  await saveMerchantSecret(statements, sealer, { merchantId, name: taxIdSecret, value: taxId })
  const accountNumber = fields['funding.account_number']
  if (!isMasked(accountNumber))
    await saveMerchantSecret(statements, sealer, {
      merchantId,
      name: accountNumberSecret,
      value: accountNumber,
    })
  await statements.query(
    `update billing_records set individual = $2, business = $3, descriptor = $4, routing_number = $5,
       account_number_last_4 = $6, changed_at = now() where merchant_id = $1`,
    [
      merchantId,
      JSON.stringify({
        first_name: fields['individual.first_name'],
        last_name: fields['individual.last_name'],
        phone: fields['individual.phone'],
        date_of_birth: fields['individual.date_of_birth'],
        email: fields['individual.email'],
        address: addressIn(fields, 'individual'),
      }),
      JSON.stringify({
        legal_name: fields['business.legal_name'],
        dba_name: fields['business.dba_name'],
        address: addressIn(fields, 'business'),
      }),
      fields['funding.descriptor'],
      fields['funding.routing_number'],
      accountNumber.slice(-4),
    ],
  )
}

/** The nested body as one text per path; a missing field is empty. */
function fieldsOf(given: GivenBilling): Record<BillingPath, string> {
  const valueAt = (path: BillingPath): string => {
    let value: unknown = given
    for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key]
    return typeof value === 'string' ? value.trim() : ''
  }
  return Object.fromEntries(billingPaths.map((path) => [path, valueAt(path)])) as Record<BillingPath, string>
}

function addressIn(fields: Record<BillingPath, string>, part: 'individual' | 'business') {
  return {
    region: fields[`${part}.address.region`],
    postal_code: fields[`${part}.address.postal_code`],
    street_address: fields[`${part}.address.street_address`],
    locality: fields[`${part}.address.locality`],
  }
}
