import type { Database } from './db/database.ts'
import { countTry } from './db/rate-limit.ts'
import { refuse } from './http/refuse.ts'

/** Many times what a busy shop's clerks ask for, and less than half of what EasyPost allows all shops together. */
const perMinute = 120

/**
 * Counts calls that a member of the merchant has an outside provider answer. One account serves all merchants, and a
 * provider that gets too much refuses all of them: so no merchant may use it up alone.
 */
export async function takeProviderShare(db: Database, merchantId: string, calls = 1): Promise<void> {
  const limit = { name: 'provider', subject: merchantId, max: perMinute, windowSeconds: 60 }
  const retryAfterSeconds = await countTry(db, limit, calls)
  if (retryAfterSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds })
}
