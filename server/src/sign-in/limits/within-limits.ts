import type { Database } from '#platform/db/database.ts'
import { countTry, returnTry, type RateLimit } from '#platform/db/rate-limit.ts'
import { refuse } from '#platform/http/refuse.ts'

/** Counts the work before it begins, and refuses what is one too many. Work that fails costs nothing. */
export async function withinLimits<T>(
  db: Database,
  limits: readonly RateLimit[],
  work: () => Promise<T>,
): Promise<T> {
  for (const limit of limits) {
    const waitSeconds = await countTry(db, limit)
    if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  }
  return work().catch(async (error: unknown) => {
    await Promise.all(limits.map((limit) => returnTry(db, limit)))
    throw error
  })
}
