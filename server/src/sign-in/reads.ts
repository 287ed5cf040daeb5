import type { Database } from '#platform/db/database.ts'
import { gathered } from '#platform/db/gathered.ts'
import type { Person } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { User } from '@cellarhand/contract/sign-in'
import { toColleague, toUser, userColumns, type UserRow } from './users/user-record.ts'

interface PersonRow {
  readonly session_id: string
  readonly user_id: string
  readonly merchant_id: string | null
  readonly roles: readonly string[]
  readonly name: string
  readonly lacks_second_step: boolean
  readonly move_state: 'leaving' | 'moved' | 'arriving' | null
  readonly moved_to: string | null
}

async function findSessions(db: Database, ids: readonly string[]): Promise<Map<string, PersonRow>> {
  const rows = await db.systemQuery<PersonRow>(
    `select s.session_id, u.user_id, u.merchant_id, u.roles, u.first_name || ' ' || u.last_name as name,
       coalesce(m.two_step_required, false) and u.two_step_confirmed_at is null as lacks_second_step, v.state as move_state, v.moved_to
     from sessions s join users u using (user_id) left join merchants m using (merchant_id)
     left join merchant_moves v on v.merchant_id = u.merchant_id and v.state <> 'settling' and (v.until is null or v.until > now())
     where s.session_id = any ($1) and s.ended_at is null and s.expires_at > now()`,
    [ids],
  )
  return new Map(rows.map((row) => [row.session_id, row]))
}

const askAgainSeconds = 2

/** While a merchant leaves, its people read on; where it arrives, they wait until it is open. */
function closedOf({ move_state: state, moved_to: movedTo }: PersonRow): Person['closed'] {
  if (state === null) return undefined
  if (movedTo !== null) return { movedTo }
  return { retryAfterSeconds: askAgainSeconds, mayRead: state === 'leaving' }
}

type FindPerson = (claims: { userId: string; sessionId: string }) => Promise<Person | undefined>

/** Reads the session's row for each request, so that an ended session fails at the very next one. */
export function createPersonFinder(db: Database): FindPerson {
  const findSession = gathered((ids: readonly string[]) => findSessions(db, ids))
  return async ({ userId, sessionId }) => {
    const row = await findSession(sessionId)
    if (row?.user_id !== userId) return undefined
    const { user_id, roles, name, lacks_second_step: lacksSecondStep } = row
    const merchantId = lacksSecondStep ? null : row.merchant_id
    return { userId: user_id, sessionId, merchantId, roles, name, lacksSecondStep, closed: closedOf(row) }
  }
}

/** The caller's own record, or a colleague's of the same merchant. For anybody else the answer is 404. */
export async function getVisibleUser(db: Database, caller: Person, userId: string): Promise<User> {
  const [row] = await db.systemQuery<UserRow>(
    `select ${userColumns} from users where user_id = $1 and (user_id = $2 or merchant_id = $3)`,
    [userId, caller.userId, caller.merchantId],
  )
  if (row === undefined) return refuse('not_found')
  return userId === caller.userId ? toUser(row) : toColleague(row)
}

export async function getMerchantOfUser(db: Database, userId: string) {
  const [row] = await db.systemQuery<{ merchant_id: string; name: string }>(
    'select m.merchant_id, m.name from users u join merchants m using (merchant_id) where u.user_id = $1',
    [userId],
  )
  return {
    authorized_merchant: row?.merchant_id ?? null,
    merchant: row === undefined ? null : { id: row.merchant_id, name: row.name },
  }
}

/** Finds the sessions that have ended, or may no longer act for their merchant; for streams that stay open. */
export async function findEndedSessions(
  db: Database,
  owners: readonly { readonly sessionId: string; readonly merchantId: string }[],
): Promise<string[]> {
  const rows = await db.systemQuery<{ session_id: string }>(
    `select wanted.session_id from unnest($1::text[], $2::text[]) as wanted (session_id, merchant_id)
     left join sessions s on s.session_id = wanted.session_id and s.ended_at is null and s.expires_at > now()
     left join users u on u.user_id = s.user_id left join merchants m on m.merchant_id = u.merchant_id
     where s.session_id is null or u.merchant_id is distinct from wanted.merchant_id
       or (m.two_step_required and u.two_step_confirmed_at is null)`,
    [owners.map((owner) => owner.sessionId), owners.map((owner) => owner.merchantId)],
  )
  return rows.map((row) => row.session_id)
}

interface SessionRow {
  readonly session_id: string
  readonly device: string | null
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly expires_at: Date
}

export async function listOwnSessions(db: Database, caller: Person) {
  const rows = await db.systemQuery<SessionRow>(
    `select session_id, device, created_at, last_seen_at, expires_at from sessions
     where user_id = $1 and ended_at is null and expires_at > now() order by created_at desc, session_id limit 200`,
    [caller.userId],
  )
  return rows.map((row) => ({
    id: row.session_id,
    device: row.device,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    is_current: row.session_id === caller.sessionId,
  }))
}
