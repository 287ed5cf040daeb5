import type { Database } from '#platform/db/database.ts'
import { countTry, returnTry, type RateLimit } from '#platform/db/rate-limit.ts'
import { refuse } from '#platform/http/refuse.ts'

/** Counts the work before it begins, and refuses what is one too many. Work that fails or is refused costs nothing. */
export async function withinLimits<T>(
  db: Database,
  limits: readonly RateLimit[],
  work: () => Promise<T>,
): Promise<T> {
  const counted: RateLimit[] = []
  try {
    for (const limit of limits) {
      const waitSeconds = await countTry(db, limit)
      if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
      counted.push(limit)
    }
    return await work()
  } catch (error) {
    await Promise.all(counted.map((limit) => returnTry(db, limit)))
    throw error
  }
}
