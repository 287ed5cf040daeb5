import type { Api } from '@cellarhand/contract/api'
import type { Merchant } from '@cellarhand/contract/merchants'
import { hasPermission } from '@cellarhand/contract/permissions'
import { stateCode } from '@cellarhand/contract/us-states'
import { email, phone, zip } from '@cellarhand/contract/validation'
import type { Statements } from '#platform/db/database.ts'
import { askOrdersAgain, getDutyBook } from '#duties/public.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { getMerchant } from '../reads.ts'

type StoreDetails = Api['POST /c/v2/merchants/{tmk}']['body']

/** Saves the store's name, address and phone; returns the new merchant. */
export async function saveStoreDetails(
  statements: Statements,
  { merchantId, roles }: Pick<Staff, 'merchantId' | 'roles'>,
  details: StoreDetails,
): Promise<Merchant> {
  const { street_1, street_2, street_3, city, state, zipcode } = details.address
  refuseInvalid({
    email: email(details.email.trim()),
    primary_phone: phone(details.primary_phone.trim()),
    'address.zipcode': zip(zipcode.trim()),
  })
  const address = {
    street_1: street_1.trim(),
    street_2: street_2.trim(),
    street_3: street_3?.trim() || null,
    city: city.trim(),
    state: state.trim(),
    zipcode: zipcode.trim(),
  }
  const [before] = await statements.query<{ address: string }>(
    'select address from merchants where merchant_id = $1',
    [merchantId],
  )
  const { state: stateBefore = '' } = JSON.parse(before?.address ?? '{}') as { state?: string }
  if (keyOf(stateBefore) !== keyOf(address.state) && !hasPermission(roles, 'duties.decide'))
    refuseInvalid({ 'address.state': (await hasDecided(statements, merchantId)) ? ownersWord : undefined })
  await statements.query(
    'update merchants set name = $2, email = $3, primary_phone = $4, address = $5 where merchant_id = $1',
    [
      merchantId,
      details.name.trim(),
      details.email.trim(),
      details.primary_phone.trim(),
      JSON.stringify(address),
    ],
  )
  // Whether bottles leave the state is part of many a rule.
  if (stateBefore !== address.state) await askOrdersAgain(statements, merchantId)
  return getMerchant(statements, merchantId)
}

/** A manager who moved the store into the state of a held order would let it pass. */
const ownersWord =
  'Only an owner can move the store to another state: the rules that were decided depend on it'

function keyOf(state: string): string {
  return stateCode(state) ?? state.trim().toLowerCase()
}

async function hasDecided(statements: Statements, merchantId: string): Promise<boolean> {
  const { rules } = await getDutyBook(statements, merchantId)
  return rules.some(({ decision }) => decision !== null)
}
