import { email, firstProblem, phone, required, zip } from '@cellarhand/contract/validation'
import {
  hashPassword,
  insertUser,
  promiseInvitation,
  userProblems,
  type InvitedUser,
} from '#sign-in/public.ts'
import { isTimezone } from '#platform/clock/zoned-time.ts'
import { type Database, type Statements } from '#platform/db/database.ts'
import { isDuplicateKey } from '#platform/db/database-errors.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'

export interface NewMerchant {
  readonly key: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly timezone: string
  readonly address: {
    readonly street_1: string
    readonly street_2: string | null
    readonly city: string
    readonly state: string
    readonly zipcode: string
  }
  readonly contacts?: {
    readonly primary_contact_name: string | null
    readonly secondary_contact_name: string | null
    readonly secondary_email: string | null
    readonly secondary_phone_number: string | null
  }
  readonly courierPickInstructions?: string
  readonly owner: Omit<InvitedUser, 'merchantKey' | 'role'>
  /** With it, an owner without a password gets a mailed link that sets one (GAP-42). */
  readonly mail?: { readonly publicUrl: string; readonly stationery: Stationery } | undefined
}

/** Creates a merchant and its first owner, both or neither. The merchant takes orders once its payments are set up. */
export async function createMerchant(db: Database, merchant: NewMerchant): Promise<{ ownerId: string }> {
  const owner: InvitedUser = { ...merchant.owner, merchantKey: merchant.key, role: 'merch.owner' }
  refuseInvalid({ ...merchantProblems(merchant), ...ownerProblems(owner) })
  const passwordHash = owner.password === undefined ? null : await hashPassword(owner.password)
  const name = `${merchant.owner.firstName.trim()} ${merchant.owner.lastName.trim()}`
  const contacts = merchant.contacts ?? {
    primary_contact_name: name,
    secondary_contact_name: null,
    secondary_email: null,
    secondary_phone_number: null,
  }
  return db.system(async (statements) => {
    try {
      await statements.query(
        `insert into merchants (merchant_id, name, email, primary_phone, address, contacts, timezone, courier_pick_instructions)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          merchant.key,
          merchant.name.trim(),
          merchant.email.trim(),
          merchant.phone,
          JSON.stringify({ ...merchant.address, street_3: null }),
          JSON.stringify(contacts),
          merchant.timezone,
          merchant.courierPickInstructions ?? null,
        ],
      )
    } catch (error) {
      if (isDuplicateKey(error))
        refuse('validation_failed', { errors: { key: `There is a merchant "${merchant.key}" already` } })
      throw error
    }
    const { user_id: ownerId } = await insertUser(statements, owner, passwordHash)
    if (passwordHash === null) await mailOwner(statements, merchant, ownerId)
    return { ownerId }
  })
}

async function mailOwner(
  statements: Statements,
  { key, name, owner, mail }: NewMerchant,
  userId: string,
): Promise<void> {
  if (mail === undefined) return
  const { publicUrl, stationery } = mail
  const names = { firstName: owner.firstName.trim(), merchant: name.trim(), inviter: stationery.product }
  const addressed = { recipient: owner.email.trim(), merchantId: key, stationery }
  await promiseInvitation(statements, addressed, { userId, names, publicUrl })
}

function merchantProblems(merchant: NewMerchant): Record<string, string | undefined> {
  const { address } = merchant
  const filled = (field: string, value: string) => firstProblem(value, [required(field)])
  return {
    key: /^[A-Za-z0-9_-]{1,64}$/.test(merchant.key)
      ? undefined
      : 'Must have 1 to 64 letters, digits, dashes or underscores',
    name: filled('name', merchant.name),
    email: firstProblem(merchant.email.trim(), [required('email'), email]),
    phone: firstProblem(merchant.phone, [required('phone'), phone]),
    timezone: isTimezone(merchant.timezone)
      ? undefined
      : 'Must be the name of a time zone, such as America/New_York',
    street: filled('street', address.street_1),
    city: filled('city', address.city),
    state: filled('state', address.state),
    zip: firstProblem(address.zipcode, [zip]),
  }
}

function ownerProblems(owner: InvitedUser): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(userProblems(owner)).map(([field, problem]) => [`owner's ${field}`, problem]),
  )
}
