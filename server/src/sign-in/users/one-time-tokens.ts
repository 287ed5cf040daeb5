import { createHash, randomBytes } from 'node:crypto'
import type { Statements } from '#platform/db/database.ts'
import { userColumns, type UserRow } from './user-record.ts'

/** Where a mailed link to set a password leads. */
export const passwordPage = (token: string) => `/forgot/password-reset/${token}`

export type Purpose = 'set_password' | 'hand_over'

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** 192 bits, so that nobody guesses it. */
export function newToken(): string {
  return randomBytes(24).toString('base64url')
}

export interface TokenRequest {
  readonly purpose: Purpose
  readonly userId: string
  readonly seconds: number
  /** A digest of the network that asks; left out when the server itself issues it. */
  readonly askedFrom?: string
}

/**
 * A secret that works once; a new one ends the earlier ones of the same purpose that were asked for from the same
 * network, so that a stranger who asks spoils none. Only its digest is kept. The transaction has locked the user, so
 * that no token is issued behind a change that ends all of them.
 */
export async function issueOneTimeToken(
  { query }: Statements,
  { purpose, userId, seconds, askedFrom }: TokenRequest,
): Promise<string> {
  const token = newToken()
  await query(
    `delete from one_time_tokens
     where user_id = $1 and purpose = $2 and asked_from is not distinct from $3 and used_at is null`,
    [userId, purpose, askedFrom ?? null],
  )
  await query(
    `insert into one_time_tokens (token_hash, purpose, user_id, expires_at, asked_from)
     values ($1, $2, $3, now() + make_interval(secs => $4), $5)`,
    [hashOf(token), purpose, userId, seconds, askedFrom ?? null],
  )
  return token
}

/** The user of a token that would work now; used to refuse a bad one before any costly work. */
export async function findTokenUser(
  { query }: Pick<Statements, 'query'>,
  purpose: Purpose,
  token: string,
): Promise<UserRow | undefined> {
  const [row] = await query<UserRow>(
    `select ${userColumns} from users where user_id = (
       select user_id from one_time_tokens
       where token_hash = $1 and purpose = $2 and used_at is null and expires_at > now())`,
    [hashOf(token), purpose],
  )
  return row
}

/** A token's fate, to say why it does not work; undefined when there is none, or it was ended. */
export async function findOneTimeToken(
  { query }: Pick<Statements, 'query'>,
  purpose: Purpose,
  token: string,
): Promise<{ readonly isUsed: boolean; readonly isOver: boolean } | undefined> {
  const [row] = await query<{ isUsed: boolean; isOver: boolean }>(
    `select used_at is not null as "isUsed", expires_at <= now() as "isOver" from one_time_tokens
     where token_hash = $1 and purpose = $2`,
    [hashOf(token), purpose],
  )
  return row
}

/**
 * Locks the token's user and returns it; undefined if the token is unknown, used or too old. Of two parallel calls, one
 * gets it. The lock on the user comes before the token, as in every change that ends tokens, to avoid deadlocks.
 */
export async function useOneTimeToken(
  { query }: Statements,
  purpose: Purpose,
  token: string,
): Promise<string | undefined> {
  await query(
    `select 1 from users where user_id = (select user_id from one_time_tokens where token_hash = $1)
     for no key update`,
    [hashOf(token)],
  )
  const [row] = await query<{ user_id: string }>(
    `update one_time_tokens set used_at = now()
     where token_hash = $1 and purpose = $2 and used_at is null and expires_at > now() returning user_id`,
    [hashOf(token), purpose],
  )
  return row?.user_id
}
