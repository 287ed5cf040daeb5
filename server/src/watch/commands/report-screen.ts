import type { ScreenKind } from '@cellarhand/contract/watch'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { liveScreens } from '../reads.ts'

/** Of one person: more pages than anybody has before the eyes. */
const screensAtMost = 50
/** Many screens of a shop do not all write its one row. */
const betweenWritesSeconds = 5

/** Notes that a screen of the shop is live and awake now. */
export async function reportScreen(
  { query }: Statements,
  { merchantId, userId }: Pick<Staff, 'merchantId' | 'userId'>,
  { screen, kind }: { screen: string; kind: ScreenKind },
): Promise<void> {
  const [written] = await Promise.all([
    query(
      `insert into watch_screens (merchant_id, user_id, screen, kind)
       select $1, $2, $3, $4 where (select count(*) from watch_screens
         where merchant_id = $1 and user_id = $2 and screen <> $3 and ${liveScreens}) < ${screensAtMost}
       on conflict (merchant_id, user_id, screen) do update set kind = excluded.kind, seen_at = now() returning 1`,
      [merchantId, userId, screen, kind],
    ),
    query(
      `update watches set watched_at = now() where merchant_id = $1
         and (watched_at is null or watched_at < now() - interval '${betweenWritesSeconds} s')`,
      [merchantId],
    ),
  ])
  if (written.length === 0) refuse('too_much_at_once')
}
