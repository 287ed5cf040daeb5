import type { Api } from '@cellarhand/contract/api'
import { keepPaymentAccount, recordPaymentStatus } from '#merchants/public.ts'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { asServer } from '#platform/turns/asker.ts'
import type { Payments } from '../payments.ts'

type Onboarding = Api['GET /v1/merchant/{tmk}/stripe']['reply']

export interface OnboardingDeps {
  readonly db: Database
  readonly payments: Payments
  readonly returnUrl: string
}

interface MerchantRow {
  readonly name: string
  readonly email: string
  readonly merchant_account_id: string | null
}

/** Another screen may have opened an account meanwhile: the merchant continues with the stored one. */
async function openAccount(
  { db, payments }: Pick<OnboardingDeps, 'db' | 'payments'>,
  merchantId: string,
  { name, email }: MerchantRow,
): Promise<string> {
  const accountId = await payments.createAccount({ merchantId, name, email })
  // The account is there, also for an owner who has left the page meanwhile.
  return asServer(() =>
    db.write(merchantId, (statements) => keepPaymentAccount(statements, { merchantId, accountId })),
  )
}

/** An owner's next page: the provider's dashboard, the provider's form for missing facts, or neither (BILL-006). */
export async function openOnboarding(
  { db, payments, returnUrl }: OnboardingDeps,
  merchantId: string,
): Promise<Onboarding> {
  const [merchant] = await db.read(merchantId, ({ query }) =>
    query<MerchantRow>('select name, email, merchant_account_id from merchants where merchant_id = $1', [
      merchantId,
    ]),
  )
  if (merchant === undefined) return refuse('not_found')
  const accountId =
    merchant.merchant_account_id ?? (await openAccount({ db, payments }, merchantId, merchant))

  const readAt = new Date(db.clock.nowMs())
  const account = await payments.findAccount(accountId)
  if (account === undefined) return { onboarding_data: null, login_link: null }
  const reading = { accountId, status: account.status, readAt }
  await db.system((statements) => recordPaymentStatus(statements, reading))
  const wish = { account, returnUrl }
  switch (account.status) {
    case 'active':
    case 'pending':
      return { onboarding_data: null, login_link: (await payments.dashboardLink(wish)) ?? null }
    case 'restricted':
      return { onboarding_data: { url: await payments.onboardingLink(wish) }, login_link: null }
    case 'rejected':
      return { onboarding_data: null, login_link: null }
  }
}
