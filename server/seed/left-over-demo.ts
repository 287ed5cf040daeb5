import { emailKey, isPassword } from '#sign-in/public.ts'
import { ConfigError } from '#platform/settings/setting.ts'
import type { Database } from '#platform/db/database.ts'
import { demoMerchants, demoPassword, demoStaff } from './demo-people.ts'

/** Somebody who tried the demo and goes live on the same database leaves its doors open: the README says the password. */
export async function refuseDemoAccounts(db: Database): Promise<void> {
  const emails = [...demoMerchants.map(({ owner }) => owner.email), ...demoStaff.map(({ email }) => email)]
  const rows = await db.systemQuery<{ email: string; password_hash: string }>(
    'select email, password_hash from users where email_key = any ($1) and password_hash is not null order by email',
    [emails.map(emailKey)],
  )
  const open: string[] = []
  for (const { email, password_hash } of rows)
    if (await isPassword(demoPassword, password_hash)) open.push(email)
  if (open.length > 0)
    throw new ConfigError(
      `This database holds the demo, whose password everybody knows: name a fresh one with DATABASE_URL or DATA_DIR, or give other passwords with npm run admin -- set-password to ${open.join(', ')}.`,
    )
}
