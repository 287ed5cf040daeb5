import { randomUUID } from 'node:crypto'
import { messages } from '@cellarhand/contract/messages'
import { isValidUsPhone, usDigits } from '@cellarhand/contract/phone'
import type { Database, Statements } from '#platform/db/database.ts'
import { countTry } from '#platform/db/rate-limit.ts'
import type { Staff } from '#platform/http/caller.ts'
import type { IdempotentRequest } from '#platform/http/idempotency.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { leaseEnd, whileHolding, type DueTable } from '#platform/jobs/claim.ts'
import { errorText } from '#platform/jobs/error-text.ts'
import { inDoubt, ProviderError } from '#platform/outside/provider-error.ts'
import { TextRefused, type Text, type TextService, type TextStatus } from './texts.ts'

const perHour = { name: 'directions', max: 20, windowSeconds: 3600 }
/** Without a fence: only a second press of the clerk takes a message over. */
const messagesUnderWay: DueTable<readonly [string, string]> = {
  table: 'text_messages',
  key: { merchant_id: 'text', message_id: 'text' },
  due: 'leased_until',
  idOf: (key) => key,
}
/** Of the presses that came while a message was on its way, so many are known when they come again. */
const mostJoined = 50
/** For so long after the last try the same words to the same phone are the same message while nobody knows whether it was sent. */
const doubtMinutes = 10

interface Wish {
  readonly number: string
  readonly message: string
  readonly idempotent: IdempotentRequest | undefined
}

interface Row {
  readonly message_id: string
  readonly number: string
  readonly body: string
  readonly state: 'sending' | 'unknown' | 'sent' | 'delivered' | 'failed'
  readonly created_at: Date
  readonly is_under_way: boolean
}

/** Sends a text message, once: it is stored first, and looked for at the service before it is ever sent again. */
export async function sendText(
  { db, texts }: { db: Database; texts: TextService },
  caller: Staff,
  wish: Wish,
): Promise<void> {
  refuseInvalid({
    number: isValidUsPhone(wish.number) ? undefined : messages.invalidPhone,
    message: wish.message.trim() === '' ? messages.requiredField('message') : undefined,
  })
  const number = `+1${usDigits(wish.number)}`
  if (await hasOptedOut(db, number)) refuse('phone_opted_out')
  const { row, isRepeat } = await db.write(caller.merchantId, (statements) =>
    openText(statements, caller, { ...wish, number, service: texts.name }),
  )
  if (row.is_under_way) refuse('request_in_progress')
  if (row.state === 'sent' || row.state === 'delivered') return
  // A text whose sending is in doubt was counted when it was first sent, and a refusal would forget the doubt.
  const retryAfterSeconds = isRepeat ? undefined : await countTry(db, { ...perHour, subject: caller.userId })
  if (retryAfterSeconds !== undefined) {
    await settle(db, caller.merchantId, { row, state: 'failed', error: 'too many' })
    refuse('too_many_requests', { retryAfterSeconds })
  }
  try {
    const text = { messageId: row.message_id, number: row.number, body: row.body }
    const held = new Set([[caller.merchantId, row.message_id] as const])
    const { serviceId, state, reason } = await whileHolding(db, { table: messagesUnderWay, held }, () =>
      sendOnce(texts, text, isRepeat ? row.created_at : undefined),
    )
    const error = await settle(db, caller.merchantId, { row, state, serviceId, error: reason })
    if (error !== undefined) throw new TextRefused(error)
  } catch (error) {
    await giveUp(db, caller.merchantId, { row, isRepeat, error })
  }
}

/** `since` is when an earlier try began, whose answer got lost. */
async function sendOnce(texts: TextService, text: Text, since: Date | undefined): Promise<TextStatus> {
  const known = since && (await texts.find(text, since))
  return known ?? { serviceId: await texts.send(text), state: 'sent' }
}

async function openText(
  statements: Statements,
  caller: Staff,
  { number, message, idempotent, service }: Wish & { service: string },
): Promise<{ row: Row; isRepeat: boolean }> {
  const { merchantId, userId } = caller
  // Two parallel presses for the same phone wait here for each other.
  await statements.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `text ${merchantId} ${number}`,
  ])
  // A person who is told to wait and tries again must not send the message twice.
  const press = idempotent === undefined ? null : `${userId} ${idempotent.key}`
  const [earlier] = await statements.query<Row>(
    `update text_messages t set
       leased_until = case when old.is_leased then t.leased_until else ${leaseEnd} end,
       state = case when t.state = 'unknown' and not old.is_leased then 'sending' else t.state end,
       joined = case when old.is_under_way and $6 <> all (t.joined) then (array_prepend($6, t.joined))[:${mostJoined}] else t.joined end
     from (
       select message_id, leased_until > now() as is_leased, leased_until > now() and state in ('sending', 'unknown') as is_under_way
       from text_messages where merchant_id = $1 and number = $2 and body = $3
         and ((sent_by = $4 and request_key = $5) or $6 = any (joined)
           or (state in ('sending', 'unknown') and greatest(created_at, leased_until) > now() - interval '${doubtMinutes} minutes'))
       order by created_at desc limit 1) old
     where t.merchant_id = $1 and t.message_id = old.message_id
     returning t.message_id, t.number, t.body, t.state, t.created_at, old.is_under_way`,
    [merchantId, number, message, userId, idempotent?.key ?? null, press],
  )
  if (earlier !== undefined && earlier.state !== 'failed') return { row: earlier, isRepeat: true }
  const [row] = await statements.query<Row>(
    `insert into text_messages (merchant_id, message_id, sent_by, request_key, number, body, service, state, leased_until)
     values ($1, $2, $3, $4, $5, $6, $7, 'sending', ${leaseEnd})
     on conflict (merchant_id, sent_by, request_key) do update set state = 'sending',
       message_id = excluded.message_id, service_id = null, error = null, leased_until = excluded.leased_until,
       created_at = excluded.created_at
       where text_messages.number = excluded.number and text_messages.body = excluded.body
     returning message_id, number, body, state, created_at, false as is_under_way`,
    [merchantId, randomUUID(), userId, idempotent?.key ?? null, number, message, service],
  )
  return row === undefined ? refuse('idempotency_key_reused') : { row, isRepeat: false }
}

interface Settlement {
  readonly row: Row
  readonly state: Row['state']
  readonly serviceId?: string
  readonly error?: string | undefined
}

/** The service's last word about a message may come before the answer to its sending, and stays. */
export function stateWith(state: string): string {
  return `case when state in ('delivered', 'failed') then state else ${state} end`
}

/** Answers why the message did not arrive, if that is known by now. */
async function settle(
  db: Database,
  merchantId: string,
  { row, state, serviceId, error }: Settlement,
): Promise<string | undefined> {
  const [settled] = await db.write(merchantId, (statements) =>
    statements.query<{ state: Row['state']; error: string | null }>(
      `update text_messages set state = ${stateWith('$3')}, service_id = coalesce($4, service_id),
         error = case when state in ('delivered', 'failed') then error else $5 end, leased_until = now()
       where merchant_id = $1 and message_id = $2 returning state, error`,
      [merchantId, row.message_id, state, serviceId ?? null, error ?? null],
    ),
  )
  return settled?.state === 'failed' ? (settled.error ?? 'The text did not arrive.') : undefined
}

/** The specified sentence for every failure (DELIV-022), with the reason in the list beside it. */
async function giveUp(
  db: Database,
  merchantId: string,
  { row, isRepeat, error }: { row: Row; isRepeat: boolean; error: unknown },
): Promise<never> {
  // A look that failed says nothing about the earlier try, and neither does the refusal of its repetition.
  const isRefused = error instanceof TextRefused || (error instanceof ProviderError && !error.isEffectUnknown)
  const state = isRepeat || !isRefused ? 'unknown' : 'failed'
  const reason = error instanceof ProviderError ? error.reason : errorText(error)
  const failure = await settle(db, merchantId, { row, state, error: reason })
  if (error instanceof TextRefused && error.isOptedOut) {
    await optOut(db, row.number, 'at the service')
    return refuse('phone_opted_out')
  }
  if (error instanceof TextRefused) {
    const words = failure === undefined ? `${error.message} ${inDoubt()}` : error.message
    return refuse('sms_failed', { errors: [{ message: words }] })
  }
  if (error instanceof ProviderError)
    return refuse('sms_failed', { errors: [{ message: isRepeat ? error.adviceInDoubt : error.advice }] })
  throw error
}

export async function hasOptedOut(db: Database, number: string): Promise<boolean> {
  return (await db.systemQuery('select 1 from text_opt_outs where number = $1', [number])).length > 0
}

export async function optOut(db: Database, number: string, said: string): Promise<void> {
  await db.systemQuery(
    'insert into text_opt_outs (number, said) values ($1, $2) on conflict (number) do update set said = excluded.said, said_at = now()',
    [number, said],
  )
}

export async function optIn(db: Database, number: string): Promise<void> {
  await db.systemQuery('delete from text_opt_outs where number = $1', [number])
}

interface TellingStatus extends TextStatus {
  readonly service: string
  readonly messageId: string | undefined
}

/** Forwards only: a late callback does not change a delivered or failed message. */
export async function noteTextStatus(
  db: Database,
  { service, messageId, serviceId, state, reason }: TellingStatus,
): Promise<void> {
  await db.systemQuery(
    `update text_messages set state = $2, error = coalesce($3, error), service_id = $1
     where (service_id = $1 or (service_id is null and message_id = $5)) and service = $4
       and state not in ('delivered', 'failed')`,
    [serviceId, state, reason ?? null, service, messageId ?? null],
  )
}
