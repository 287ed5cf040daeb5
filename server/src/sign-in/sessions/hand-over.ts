import { createHash } from 'node:crypto'
import { requireOpen } from '#platform/db/closed-merchant.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse, Refused } from '#platform/http/refuse.ts'
import { findOneTimeToken, hashOf, issueOneTimeToken, useOneTimeToken } from '../users/one-time-tokens.ts'
import { emailKey, toUser, userColumns, type UserRow } from '../users/user-record.ts'
import { openSession, type SignInDeps } from './start-session.ts'

const handOverSeconds = 60
const purpose = 'hand_over'

/** A link for the marketplace's signed-in merchant; it works once, for one minute (GAP-38). */
export async function createHandOver(
  statements: Statements,
  { user, merchant, publicUrl }: { user: string; merchant: string; publicUrl: string },
): Promise<{ url: string }> {
  const [row] = await statements.query<{ user_id: string }>(
    'select user_id from users where (user_id = $1 or email_key = $2) and merchant_id = $3 for no key update',
    [user, emailKey(user), merchant],
  )
  // The link would open this cell, which does not let the person in any more.
  await requireOpen(statements, merchant)
  if (row === undefined) return refuse('not_found')
  const token = await issueOneTimeToken(statements, {
    purpose,
    userId: row.user_id,
    seconds: handOverSeconds,
  })
  return { url: `${publicUrl}/?${new URLSearchParams({ jwt: token, tmk: merchant }).toString()}` }
}

/**
 * For the token login, which is a GET: proxies repeat it by themselves when an answer is lost. A repetition of the same
 * request, recognised by its network address and browser, finds the same session while the link lives. Others fail.
 */
export async function takeHandOver(
  db: Database,
  { token, network, userAgent }: { token: string; network: string; userAgent: string | undefined },
): Promise<{ userId: string; sessionId: string } | undefined> {
  // Anybody can invent a token, and a look takes no turn from those who write.
  if ((await findOneTimeToken({ query: db.systemQuery }, purpose, token)) === undefined) return undefined
  const attempt = `${network} ${userAgent ?? ''}`
  try {
    const { user, sessionId } = await db.system((statements) =>
      openRedeemed(statements, { token, attempt, userAgent }),
    )
    return { userId: user.id, sessionId }
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

interface Redemption {
  readonly token: string
  /** The token login leaves it out, because it has none. */
  readonly merchant?: string
  /** The id with which a browser repeats the call when the first answer was lost. */
  readonly attempt?: string
  readonly userAgent: string | undefined
}

/** The same for a dashboard, which shows why a link does not work. A refusal spends nothing. */
export async function redeemHandOver(
  { db, tokens }: SignInDeps,
  redemption: Redemption & { readonly merchant: string },
) {
  const { user, sessionId, expiresAtMs } = await db.system((statements) =>
    openRedeemed(statements, redemption),
  )
  return { token: await tokens.issue({ userId: user.id, sessionId, expiresAtMs }), user }
}

async function openRedeemed(statements: Statements, { token, merchant, attempt, userAgent }: Redemption) {
  const user = await lockUserOf(statements, token)
  const found = await findOneTimeToken(statements, purpose, token)
  if (user === undefined || found === undefined) return refuse('bad_handover')
  if (merchant !== undefined && user.merchant_id !== merchant) return refuse('bad_handover')
  const sessionId = attempt === undefined ? undefined : sessionIdOf(token, attempt)
  if (found.isUsed) {
    const earlier = found.isOver ? undefined : await findLiveSession(statements, sessionId)
    return earlier === undefined ? refuse('handover_used') : { user: toUser(user), ...earlier }
  }
  if (found.isOver) return refuse('handover_expired')
  if ((await useOneTimeToken(statements, purpose, token)) === undefined) return refuse('handover_used')
  const opened = await openSession(statements, { userId: user.user_id, userAgent, sessionId })
  return { ...opened, user: toUser({ ...user, last_login: opened.signedInAt }) }
}

/** Locks the user, so that a new password or revoked access comes either before the new session or ends it. */
async function lockUserOf({ query }: Statements, token: string): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(
    `select ${userColumns} from users
     where user_id = (select user_id from one_time_tokens where token_hash = $1 and purpose = $2) for no key update`,
    [hashOf(token), purpose],
  )
  return row
}

/** A browser finds the session again only if it knows both the link and its own attempt. */
function sessionIdOf(token: string, attempt: string): string {
  return createHash('sha256').update(`${token} ${attempt}`).digest('base64url')
}

async function findLiveSession({ query }: Statements, sessionId: string | undefined) {
  const [row] = await query<{ expires_at: Date }>(
    'select expires_at from sessions where session_id = $1 and ended_at is null and expires_at > now()',
    [sessionId ?? ''],
  )
  return row && sessionId !== undefined ? { sessionId, expiresAtMs: row.expires_at.getTime() } : undefined
}
