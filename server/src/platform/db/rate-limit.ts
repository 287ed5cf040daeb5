import { createHash } from 'node:crypto'
import type { Database } from './database.ts'

export interface RateLimit {
  /** The limited action, such as "sign-in". */
  readonly name: string
  /** The person or address that is counted; stored only as a digest. */
  readonly subject: string
  readonly max: number
  readonly windowSeconds: number
}

function keyOf({ name, subject }: Pick<RateLimit, 'name' | 'subject'>): string {
  return `${name}:${createHash('sha256').update(subject).digest('base64url')}`
}

/**
 * Counts a try, or several at once. Returns the seconds to wait after more than `max` tries within the window. One
 * statement of the database counts, so restarts, several processes and parallel tries share the count. A spent limit is
 * only read: the tries of a flood would wait for each other at its row, and take turns from those who write.
 */
export async function countTry(
  db: Pick<Database, 'systemQuery'>,
  limit: RateLimit,
  tries = 1,
): Promise<number | undefined> {
  const key = keyOf(limit)
  const [spent] = await db.systemQuery<{ wait: number }>(
    `select ceil(extract(epoch from resets_at - now()))::int as wait from rate_limits
     where limit_key = $1 and resets_at > now() and hits >= $2`,
    [key, limit.max],
  )
  if (spent !== undefined) return Math.max(1, spent.wait)
  const [row] = await db.systemQuery<{ hits: number; wait: number }>(
    `insert into rate_limits as l (limit_key, hits, resets_at) values ($1, $3, now() + make_interval(secs => $2))
     on conflict (limit_key) do update set
       hits = case when l.resets_at <= now() then excluded.hits else l.hits + excluded.hits end,
       resets_at = case when l.resets_at <= now() then excluded.resets_at else l.resets_at end
     returning hits, ceil(extract(epoch from resets_at - now()))::int as wait`,
    [key, limit.windowSeconds, tries],
  )
  return row !== undefined && row.hits > limit.max ? Math.max(1, row.wait) : undefined
}

/** Whether the next try would exceed the limit; counts nothing. */
export async function isSpent(db: Database, limit: RateLimit): Promise<boolean> {
  const [row] = await db.systemQuery<{ hits: number }>(
    'select hits from rate_limits where limit_key = $1 and resets_at > now()',
    [keyOf(limit)],
  )
  return row !== undefined && row.hits >= limit.max
}

/** Takes back one try that was counted and turned out to be none. */
export async function returnTry(db: Database, limit: Pick<RateLimit, 'name' | 'subject'>): Promise<void> {
  await db.systemQuery('update rate_limits set hits = hits - 1 where limit_key = $1 and hits > 0', [
    keyOf(limit),
  ])
}

export async function forgetTries(db: Database, limit: Pick<RateLimit, 'name' | 'subject'>): Promise<void> {
  await db.systemQuery('delete from rate_limits where limit_key = $1', [keyOf(limit)])
}
