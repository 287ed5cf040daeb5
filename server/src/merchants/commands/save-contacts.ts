import type { Api } from '@cellarhand/contract/api'
import type { Merchant } from '@cellarhand/contract/merchants'
import { email, phone } from '@cellarhand/contract/validation'
import type { Statements } from '#platform/db/database.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { getMerchant } from '../reads.ts'

type Contacts = Api['POST /c/v2/merchants/{tmk}/data']['body']

/** Saves the store's contact person, and a second way to reach the store. */
export async function saveContacts(
  statements: Statements,
  merchantId: string,
  contacts: Contacts,
): Promise<Merchant> {
  const optional = (text: string | null | undefined) => text?.trim() || null
  const stored = {
    primary_contact_name: contacts.primary_contact_name.trim(),
    secondary_contact_name: optional(contacts.secondary_contact_name),
    secondary_email: optional(contacts.secondary_email),
    secondary_phone_number: optional(contacts.secondary_phone_number),
  }
  refuseInvalid({
    secondary_email: email(stored.secondary_email ?? ''),
    secondary_phone_number: phone(stored.secondary_phone_number ?? ''),
  })
  await statements.query('update merchants set contacts = $2 where merchant_id = $1', [
    merchantId,
    JSON.stringify(stored),
  ])
  return getMerchant(statements, merchantId)
}
