import webPush from 'web-push'
import type { Database } from '#platform/db/database.ts'
import { claim, type DueTable } from '#platform/jobs/claim.ts'
import { startDueWork } from '#platform/jobs/due-work.ts'
import { errorText } from '#platform/jobs/error-text.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import { postGuarded, type PostAnswer } from '#platform/outside/guarded-post.ts'
import { mayReceive } from './receivers.ts'
import { answered } from './refused-device.ts'
import type { PushPolicy, Subscription } from './push-address.ts'

const atOnce = 8
const triesAtMost = 5
const timeoutMs = 10_000
const pauseSeconds = 15
const longestPauseSeconds = 10 * 60
/** An hour later somebody else has been told, or has come. The push service keeps a message no longer either. */
const keptSeconds = 3_600

interface MessageRow {
  readonly merchant_id: string
  readonly message_id: string
  readonly device_id: string
  readonly topic: string
  readonly content: string
  readonly attempts: number
  readonly is_old: boolean
}

interface Receiver {
  readonly subscription_sealed: string
  readonly public_key: string
  readonly private_sealed: string
}

const messagesDue: DueTable<MessageRow> = {
  table: 'push_messages',
  key: { merchant_id: 'text', message_id: 'text' },
  due: 'due_at',
  fence: 'attempts',
  idOf: ({ merchant_id, message_id, attempts }) => [merchant_id, message_id, attempts],
}

export interface PushDeps {
  readonly db: Database
  readonly push: PushPolicy
  readonly onError: (error: unknown) => void
}

/** Sends the push messages to their services; several processes share the work. */
export function startPush(deps: PushDeps): Worker {
  const { db, onError } = deps
  return startDueWork({
    db,
    table: messagesDue,
    take: (free) =>
      claim<MessageRow>({ query: db.systemQuery }, messagesDue, {
        which: 'due_at <= now() and ended_at is null',
        // A shop whose push services do not answer must not hold up the messages of the others.
        first: `(select count(*) from push_messages own
          where own.merchant_id = due.merchant_id and own.ended_at is null and own.attempts > 0)`,
        limit: free,
        returning: `merchant_id, message_id, device_id, topic, content, attempts,
          created_at < now() - interval '${keptSeconds} s' as is_old`,
      }),
    run: (row, signal) => sendOne(deps, row, signal),
    atOnce,
    onError,
  })
}

async function sendOne(deps: PushDeps, row: MessageRow, signal: AbortSignal): Promise<void> {
  const { db } = deps
  if (row.is_old) return end(db, row, 'It came too late')
  // A moment ago is not good enough: the session may have ended since the message was written.
  const [receiver] = await db.systemQuery<Receiver>(
    `select d.subscription_sealed, k.public_key, k.private_sealed
     from push_devices d join push_keys k on k.merchant_id = d.merchant_id
     where d.merchant_id = $1 and d.device_id = $2 and ${mayReceive('d')}`,
    [row.merchant_id, row.device_id],
  )
  if (receiver === undefined) return end(db, row, 'The device receives no messages any more')
  try {
    await settle(db, row, await post(deps, { row, receiver, signal }))
  } catch (error) {
    if (signal.aborted) return
    await tryLater(db, row, { error: errorText(error) })
  }
}

function post(
  { db, push }: PushDeps,
  { row, receiver, signal }: { row: MessageRow; receiver: Receiver; signal: AbortSignal },
): Promise<PostAnswer> {
  const subscription = JSON.parse(push.open(receiver.subscription_sealed)) as Subscription
  const { headers, body } = webPush.generateRequestDetails(subscription, row.content, {
    vapidDetails: {
      subject: push.contact,
      publicKey: receiver.public_key,
      privateKey: push.open(receiver.private_sealed),
    },
    TTL: keptSeconds,
    urgency: 'high',
    topic: row.topic,
    contentEncoding: 'aes128gcm',
  })
  const asText = Object.entries(headers).map(([name, value]) => [name, String(value)])
  const message = { url: new URL(subscription.endpoint), headers: Object.fromEntries(asText), body }
  return postGuarded(message, { clock: db.clock, timeoutMs, allowLoopback: push.allowLoopback, signal })
}

async function settle(db: Database, row: MessageRow, { status, retryAfterMs }: PostAnswer): Promise<void> {
  if (status === 404 || status === 410) return forget(db, row, answered(status))
  if (status === 429 || status >= 500) return tryLater(db, row, { error: answered(status), retryAfterMs })
  if (status < 200 || status > 299) return end(db, row, answered(status))
  await db.systemQuery('update push_devices set alive_at = now() where merchant_id = $1 and device_id = $2', [
    row.merchant_id,
    row.device_id,
  ])
  return end(db, row, null)
}

/**
 * By these words the device learns why it is gone (`refused-device.ts`). So they are there exactly when the device is
 * not, also if a newer message took this one's place meanwhile, or another process has taken it.
 */
async function forget(db: Database, row: MessageRow, error: string): Promise<void> {
  await db.systemQuery(
    `with gone as (delete from push_devices where merchant_id = $1 and device_id = $2)
     update push_messages set ended_at = coalesce(ended_at, now()), error = $4
     where merchant_id = $1 and message_id = $3`,
    [row.merchant_id, row.device_id, row.message_id, error],
  )
}

async function end(db: Database, row: MessageRow, error: string | null): Promise<void> {
  await db.systemQuery(
    `update push_messages set ended_at = now(), error = $4
     where merchant_id = $1 and message_id = $2 and attempts = $3 and ended_at is null`,
    [row.merchant_id, row.message_id, row.attempts, error],
  )
}

async function tryLater(
  db: Database,
  row: MessageRow,
  { error, retryAfterMs = 0 }: { error: string; retryAfterMs?: number | undefined },
): Promise<void> {
  if (row.attempts >= triesAtMost) return end(db, row, error.slice(0, 300))
  const seconds = Math.max(pauseSeconds * 2 ** (row.attempts - 1), retryAfterMs / 1000)
  await db.systemQuery(
    `update push_messages set due_at = now() + make_interval(secs => $4), error = $5
     where merchant_id = $1 and message_id = $2 and attempts = $3 and ended_at is null`,
    [
      row.merchant_id,
      row.message_id,
      row.attempts,
      Math.min(seconds, longestPauseSeconds),
      error.slice(0, 300),
    ],
  )
}
