import { isDeepStrictEqual } from 'node:util'
import type { LabelCarrier } from '@cellarhand/contract/carriers'
import type { CarrierAccount } from '@cellarhand/contract/shipping'
import { messages } from '@cellarhand/contract/messages'
import { zip } from '@cellarhand/contract/validation'
import { requireOpen } from '#platform/db/closed-merchant.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import {
  forgetMerchantSecret,
  readMerchantSecret,
  saveMerchantSecret,
} from '#platform/outside/merchant-secrets.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { takeProviderShare } from '#platform/provider-share.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import {
  accountSecretName,
  findCarrierAccount,
  toWireAccount,
  type StoredAccount,
} from './carrier-account.ts'
import {
  LabelRefused,
  SetUpElsewhere,
  type LabelFormat,
  type LabelSize,
  type ShippingProvider,
} from '../port/shipping-port.ts'

export interface AccountDeps {
  readonly db: Database
  readonly sealer: Sealer
  readonly provider: ShippingProvider | undefined
}

export interface AccountForm {
  readonly carrier: LabelCarrier
  readonly account_number?: string | null
  readonly account_zip: string
  readonly label_size: LabelSize
  readonly label_format: LabelFormat
}

/**
 * Has the carrier check the account before it is stored; a change of size or format alone needs no check. The stored
 * account may have changed while the carrier was asked. Then the command starts over, because it would otherwise bring
 * back an account that somebody has disconnected or replaced.
 */
export async function saveCarrierAccount(
  deps: AccountDeps,
  merchantId: string,
  form: AccountForm,
): Promise<CarrierAccount> {
  for (;;) {
    const saved = await checkAndSave(deps, merchantId, form)
    if (saved !== 'changed meanwhile') return saved
  }
}

async function checkAndSave(
  { db, sealer, provider }: AccountDeps,
  merchantId: string,
  form: AccountForm,
): Promise<CarrierAccount | 'changed meanwhile'> {
  if (provider === undefined) return refuse('account_unauthorized')
  const seen = await db.read(merchantId, (statements) => lookUp(statements, { merchantId, sealer }, form))
  const { number, before } = seen
  const holders = await findHolders({ query: db.systemQuery }, form.carrier, number)
  const accountZip = form.account_zip.trim()
  refuseInvalid({
    account_zip: zip(accountZip),
    account_number: numberProblem(number),
    label_size: sizeProblem(form),
  })
  const isKnown =
    before?.provider === provider.name &&
    before.number === number &&
    before.carrier === form.carrier &&
    before.account_zip === accountZip
  if (!isKnown) await takeProviderShare(db, merchantId)
  const account: StoredAccount = {
    carrier: form.carrier,
    account_number_last_4: number.slice(-4),
    account_zip: accountZip,
    label_size: form.label_size,
    label_format: form.label_format,
    provider: provider.name,
    provider_account: isKnown
      ? before.provider_account
      : await connect(provider, {
          carrier: form.carrier,
          number,
          zip: accountZip,
          replaces: before?.provider === provider.name ? before.provider_account : undefined,
        }),
  }
  return db.system(async (statements) => {
    await requireOpen(statements, merchantId)
    await refuseAnothers(statements, merchantId, account)
    if (provider.findsByNumber && !isKnown)
      await refuseNumberOfAnother(statements, sealer, { merchantId, carrier: form.carrier, number })
    await statements.query('select 1 from carrier_accounts where merchant_id = $1 for update', [merchantId])
    const now = await lookUp(statements, { merchantId, sealer }, form)
    if (!isDeepStrictEqual(now, seen)) return 'changed meanwhile'
    // Another merchant who has just disconnected it has perhaps removed it after the provider named it here.
    if (!isDeepStrictEqual(await findHolders(statements, form.carrier, number), holders))
      return 'changed meanwhile'
    await store(statements, merchantId, account)
    await saveMerchantSecret(statements, sealer, { merchantId, name: accountSecretName, value: number })
    return toWireAccount(account)
  })
}

/** A label printer's paper is one label, so ZPL fits no other size. */
function sizeProblem({ label_size, label_format }: AccountForm): string | undefined {
  return label_format === 'ZPL' && label_size !== '4x6' ? 'ZPL labels are 4x6 only' : undefined
}

async function lookUp(
  statements: Statements,
  { merchantId, sealer }: { merchantId: string; sealer: Sealer },
  form: AccountForm,
) {
  const [account, kept] = await Promise.all([
    findCarrierAccount(statements, merchantId),
    readMerchantSecret(statements, sealer, { merchantId, name: accountSecretName }),
  ])
  const typed = form.account_number?.replaceAll(/[\s-]/g, '') ?? ''
  // A number belongs to its carrier.
  const number = typed === '' && account?.carrier === form.carrier ? (kept ?? '') : typed
  return {
    number,
    before: account === undefined ? undefined : { ...account, number: kept },
  }
}

/** The accounts of all merchants that may be this one; a merchant's own row says nothing of another's. */
async function findHolders(
  { query }: Pick<Statements, 'query'>,
  carrier: LabelCarrier,
  number: string,
): Promise<unknown[]> {
  return query(
    `select merchant_id, provider, provider_account from carrier_accounts
     where carrier = $1 and account_number_last_4 = $2 order by merchant_id`,
    [carrier, number.slice(-4)],
  )
}

function numberProblem(number: string): string | undefined {
  if (number === '') return messages.requiredField('account_number')
  return /^[A-Za-z0-9]{4,40}$/.test(number)
    ? undefined
    : 'Please enter an account number of 4 to 40 letters and digits'
}

async function connect(
  provider: ShippingProvider,
  account: Parameters<ShippingProvider['connect']>[0],
): Promise<string> {
  try {
    return await provider.connect(account)
  } catch (error) {
    if (error instanceof SetUpElsewhere) refuse('account_unauthorized', { message: error.message })
    if (error instanceof LabelRefused) refuse('account_unauthorized')
    if (error instanceof ProviderError && error.kind === 'rejected') refuse('account_unauthorized')
    throw error
  }
}

/**
 * The provider finds every account under the server's key by its number, so a merchant who types another merchant's
 * number would ship at that one's cost. Runs as the system, because no merchant sees another's account; one at a time,
 * because no unique index covers several merchants.
 */
async function refuseAnothers(
  { query }: Statements,
  merchantId: string,
  { provider, provider_account }: StoredAccount,
): Promise<void> {
  await lockAccount({ query }, { provider, provider_account })
  if (await isAnothers({ query }, merchantId, { provider, provider_account })) refuse('account_unauthorized')
}

interface TypedNumber {
  readonly merchantId: string
  readonly carrier: LabelCarrier
  readonly number: string
}

/** One number may be at the provider twice, from two saves at once: then each has an account of its own there. */
async function refuseNumberOfAnother(
  statements: Statements,
  sealer: Sealer,
  { merchantId, carrier, number }: TypedNumber,
): Promise<void> {
  await statements.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `carrier number ${carrier} ${number}`,
  ])
  const others = await statements.query<{ merchant_id: string }>(
    'select merchant_id from carrier_accounts where carrier = $1 and account_number_last_4 = $2 and merchant_id <> $3',
    [carrier, number.slice(-4), merchantId],
  )
  for (const { merchant_id: other } of others) {
    const held = await readMerchantSecret(statements, sealer, { merchantId: other, name: accountSecretName })
    if (held === number) refuse('account_unauthorized')
  }
}

type ProviderAccount = Pick<StoredAccount, 'provider' | 'provider_account'>

/** Until the end of the transaction. */
async function lockAccount(
  { query }: Pick<Statements, 'query'>,
  { provider, provider_account }: ProviderAccount,
): Promise<void> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `carrier account ${provider} ${provider_account}`,
  ])
}

async function isAnothers(
  { query }: Pick<Statements, 'query'>,
  merchantId: string,
  { provider, provider_account }: ProviderAccount,
): Promise<boolean> {
  const [other] = await query(
    `select 1 from carrier_accounts where provider = $1 and provider_account = $2 and merchant_id <> $3 limit 1`,
    [provider, provider_account, merchantId],
  )
  return other !== undefined
}

async function store({ query }: Statements, merchantId: string, account: StoredAccount): Promise<void> {
  await query(
    `insert into carrier_accounts (merchant_id, carrier, account_number_last_4, account_zip, label_size, label_format, provider, provider_account)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (merchant_id) do update set carrier = $2, account_number_last_4 = $3, account_zip = $4, label_size = $5,
       label_format = $6, provider = $7, provider_account = $8, connected_at = now()`,
    [
      merchantId,
      account.carrier,
      account.account_number_last_4,
      account.account_zip,
      account.label_size,
      account.label_format,
      account.provider,
      account.provider_account,
    ],
  )
}

/**
 * Forgets the account here even if the provider cannot be told. Disconnecting none does nothing. The row stays until the
 * provider has removed the account: a save meanwhile would otherwise find the account there, and store it after its end.
 */
export async function disconnectCarrierAccount(
  { db, provider }: AccountDeps,
  merchantId: string,
): Promise<void> {
  const account = await db.system(async (statements) => {
    await requireOpen(statements, merchantId)
    const found = await findCarrierAccount(statements, merchantId)
    if (found !== undefined && found.provider === provider?.name) {
      // Two merchants with one account may leave it at the same moment: the second one removes it.
      await lockAccount(statements, found)
      if (!(await isAnothers(statements, merchantId, found))) return found
    }
    await forgetAccount(statements, merchantId, found)
    return undefined
  })
  if (account === undefined) return
  await provider?.disconnect(account.provider_account).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
  })
  await db.write(merchantId, (statements) => forgetAccount(statements, merchantId, account))
}

/** An account that has replaced it meanwhile stays. */
async function forgetAccount(
  statements: Statements,
  merchantId: string,
  account: ProviderAccount | undefined,
): Promise<void> {
  const forgotten = await statements.query(
    `delete from carrier_accounts where merchant_id = $1 and provider = $2 and provider_account = $3 returning 1`,
    [merchantId, account?.provider ?? null, account?.provider_account ?? null],
  )
  if (forgotten.length > 0 || account === undefined)
    await forgetMerchantSecret(statements, { merchantId, name: accountSecretName })
}
