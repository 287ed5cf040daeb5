import { emailKey, isPassword } from '#sign-in/public.ts'
import { systemClock } from '#platform/clock/system-clock.ts'
import { ConfigError } from '#platform/settings/setting.ts'
import { systemRole, type DatabaseAddress, type Statements } from '#platform/db/database.ts'
import { patientClient } from '#platform/db/patient-client.ts'
import { statementsOn } from '#platform/db/statements-on.ts'
import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { demoMerchants, demoPassword, demoStaff } from './demo-people.ts'

interface Account {
  readonly email: string
  readonly merchant_id: string | null
  readonly password_hash: string
}

/** The accounts of the demo that open with the password in the README. */
async function findOpenAccounts({ query }: Pick<Statements, 'query'>): Promise<Account[]> {
  const emails = [...demoMerchants.map(({ owner }) => owner.email), ...demoStaff.map(({ email }) => email)]
  const rows = await query<Account>(
    `select email, merchant_id, password_hash from users
     where email_key = any ($1) and password_hash is not null order by email`,
    [emails.map(emailKey)],
  )
  const open: Account[] = []
  for (const row of rows) if (await isPassword(demoPassword, row.password_hash)) open.push(row)
  return open
}

const namesOf = (accounts: readonly Account[]) => accounts.map(({ email }) => email).join(', ')

/**
 * Somebody who tried the demo and goes live on the same database leaves its doors open. The server asks before it builds
 * its parts, because their workers would already send the demo's mails and events.
 */
export async function refuseDemoAccounts(address: DatabaseAddress): Promise<void> {
  const client = patientClient(address, systemRole)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const open = await findOpenAccounts(statementsOn(client, systemClock))
    if (open.length > 0)
      throw new ConfigError(
        `This database holds the demo, whose password everybody knows: name a fresh one with DATABASE_URL or DATA_DIR, or give other passwords with npm run admin -- set-password to ${namesOf(open)}.`,
      )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** For a cell outside the demo: the accounts would open at once, and its servers would refuse their next start. */
export const liveCellUpkeep: Upkeep = {
  async afterArrival(statements, merchantId) {
    const open = (await findOpenAccounts(statements)).filter(({ merchant_id }) => merchant_id === merchantId)
    return open.length === 0
      ? undefined
      : `Accounts that would come have the demo's password, which everybody knows: ${namesOf(open)}. Nothing was changed. ` +
          `In the other cell: npm run admin -- move-merchant --merchant ${merchantId} --abort, then set-password for each of them. Then begin the move again.`
  },
}
