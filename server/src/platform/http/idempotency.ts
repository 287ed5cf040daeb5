import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Database, Statements } from '../db/database.ts'
import { refuse } from './refuse.ts'

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  /** The caller and the call: the same key of another caller, or for another call, is another key. */
  readonly scope: string
  readonly key: string
  readonly hash: string
}

export interface StoredReply {
  readonly status: number
  readonly text: string
}

export function readIdempotencyKey(
  request: FastifyRequest,
  callerId: string,
  rawBody: string,
): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[!-~]{1,128}$/.test(key)) {
    return refuse('validation_failed', {
      errors: { 'Idempotency-Key': 'Must have 1 to 128 visible characters' },
    })
  }
  const hash = createHash('sha256').update(rawBody).digest('base64url')
  return { scope: `${callerId} ${request.method} ${request.url.split('?')[0] ?? ''}`, key, hash }
}

/** The reply that the same request got before. A command that leaves its transaction must look for it itself. */
export async function findEarlierReply(
  statements: Statements,
  merchantId: string,
  idempotent: IdempotentRequest | undefined,
): Promise<StoredReply | undefined> {
  if (idempotent === undefined) return undefined
  const { scope, key, hash } = idempotent
  const [earlier] = await statements.query<{ request_hash: string; status: number; reply: string }>(
    'select request_hash, status, reply from idempotent_replies where merchant_id = $1 and scope = $2 and idempotency_key = $3',
    [merchantId, scope, key],
  )
  if (earlier === undefined) return undefined
  return earlier.request_hash === hash
    ? { status: earlier.status, text: earlier.reply }
    : refuse('idempotency_key_reused')
}

/**
 * Runs one command as one transaction. With a key, the same transaction stores the reply, so that the reply exists
 * exactly when the change does. A refusal changes nothing, and is therefore not stored.
 */
export async function runCommand(
  db: Database,
  { merchantId, idempotent }: { merchantId: string; idempotent: IdempotentRequest | undefined },
  command: (statements: Statements) => Promise<StoredReply>,
): Promise<StoredReply> {
  if (idempotent === undefined) return db.write(merchantId, command)
  const { scope, key, hash } = idempotent
  return db.write(merchantId, async (statements) => {
    const [[lock], [earlier]] = await Promise.all([
      statements.query<{ held: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held',
        [`${merchantId} ${scope} ${key}`],
      ),
      statements.query<{ request_hash: string; status: number; reply: string }>(
        'select request_hash, status, reply from idempotent_replies where merchant_id = $1 and scope = $2 and idempotency_key = $3',
        [merchantId, scope, key],
      ),
    ])
    if (lock?.held !== true) return refuse('request_in_progress')
    if (earlier !== undefined) {
      return earlier.request_hash === hash
        ? { status: earlier.status, text: earlier.reply }
        : refuse('idempotency_key_reused')
    }
    const reply = await command(statements)
    // Not awaited, so that it travels with COMMIT: if it fails, the transaction fails.
    statements
      .query(
        'insert into idempotent_replies (merchant_id, scope, idempotency_key, request_hash, status, reply) values ($1, $2, $3, $4, $5, $6)',
        [merchantId, scope, key, hash, reply.status, reply.text],
      )
      .catch(() => undefined)
    return reply
  })
}
