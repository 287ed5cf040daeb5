import { randomUUID } from 'node:crypto'
import { usDigits } from '@cellarhand/contract/phone'
import { unwatchedMinutes } from '@cellarhand/contract/watch'
import type { Logger } from 'pino'
import { openingOf, type ShopHours } from '#orders/public.ts'
import { isOpen, requireOpen } from '#platform/db/closed-merchant.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { pushCase } from './push/promise-push.ts'
import { forgetDevices } from './push/receivers.ts'
import { ownerRole, tellingIn } from './reads.ts'
import { countedAtMost, letterOf, ordersOf, type Case, type Step } from './words.ts'

const lookEveryMs = 5_000
const unwatchedMs = unwatchedMinutes * 60_000
const shopsAtOnce = 100

export interface TellDeps {
  readonly db: Database
  readonly log: Logger
  readonly stationery: Stationery
  /** The desk's own address, if it is known. */
  readonly deskUrl: () => string | undefined
  readonly onMail: () => void
  readonly onText: () => void
  readonly onPush: () => void
  readonly onError: (error: unknown) => void
}

interface WatchRow extends ShopHours {
  readonly merchant_id: string
  readonly name: string
  readonly duty: string | null
  readonly owner: string | null
  readonly since_at: Date
  readonly watched_at: Date | null
  readonly duty_told_at: Date | null
  readonly owner_told_at: Date | null
  readonly waiting: number
}

interface Told {
  readonly step: Step
  readonly by: 'mail' | 'text'
  readonly waiting: number
  /** So many devices get a push message too. */
  readonly devices: number
}

/**
 * Tells the person on duty, and then the owner, that new orders wait and no screen of the shop watches. Several
 * processes look; the one that holds the row of the shop tells.
 */
export function startTelling(deps: TellDeps): Worker {
  const { db, log, onError } = deps
  return startWorker({
    clock: db.clock,
    everyMs: lookEveryMs,
    onError,
    async work(isStopping) {
      await forgetDevices(db)
      // Page by page: shops that are closed or told come back at each look, and must not keep the others out.
      let after = ''
      for (;;) {
        const rows = await db.systemQuery<WatchRow>(unwatched('and w.merchant_id > $1'), [after])
        for (const row of rows) {
          if (isStopping()) return
          if (stepOf(row, db.clock.nowMs()) === undefined) continue
          const told = await db.system((statements) => tellCase(statements, deps, row.merchant_id))
          if (told === undefined) continue
          log.warn(
            { merchant: row.merchant_id, ...told },
            'new orders wait and no screen of the shop watches',
          )
          if (told.devices > 0) deps.onPush()
          if (told.by === 'mail') deps.onMail()
          else deps.onText()
        }
        const last = rows.at(-1)
        if (last === undefined || rows.length < shopsAtOnce) return
        after = last.merchant_id
      }
    },
  })
}

/**
 * The shops with waiting orders that no screen has watched for the time. A shop without delivery hours has one endless
 * opening, so that once told it is left out here; of the others `stepOf` knows whether a new opening has begun.
 */
function unwatched(only: string): string {
  return `select w.*, m.name, m.timezone, m.regular_hours, waiting.n as waiting
    from watches w join merchants m using (merchant_id)
    cross join lateral (
      select count(*)::int as n from (
        select from orders o where o.merchant_id = w.merchant_id and o.tab = 'active'
          and o.display_group in ('new', 'printed') limit ${countedAtMost}
      ) counted
    ) waiting
    where w.is_on and waiting.n > 0 and ${isOpen('w.merchant_id')} ${only}
      and greatest(w.since_at, w.watched_at) <= now() - interval '${unwatchedMinutes} minutes'
      and (w.owner_told_at is null or w.owner_told_at <= w.watched_at
        or coalesce(m.regular_hours::text, '[]') <> '[]')
    order by w.merchant_id limit ${shopsAtOnce}`
}

/**
 * The next person to tell, if it is time. A case lasts until a screen watches or the shop opens again, also when the
 * orders have gone.
 */
function stepOf(row: WatchRow, nowMs: number): Step | undefined {
  const opening = openingOf(row, nowMs)
  const watchedMs = row.watched_at?.getTime() ?? -Infinity
  const unwatchedSince = Math.max(row.since_at.getTime(), watchedMs, opening.sinceMs)
  if (!opening.isOpen || nowMs - unwatchedSince < unwatchedMs) return undefined
  const caseSince = Math.max(watchedMs, opening.sinceMs)
  const isTold = (at: Date | null) => at !== null && at.getTime() > caseSince
  if (isTold(row.owner_told_at)) return undefined
  if (row.duty === null) return 'owner'
  if (!isTold(row.duty_told_at)) return 'duty'
  return nowMs - (row.duty_told_at?.getTime() ?? 0) >= unwatchedMs ? 'owner' : undefined
}

/** Undefined if another process has told meanwhile, or a screen watches again. */
async function tellCase(
  statements: Statements,
  { stationery, deskUrl }: TellDeps,
  merchantId: string,
): Promise<Told | undefined> {
  await requireOpen(statements, merchantId)
  // The lock first: a read after it sees what the other process left.
  await statements.query('select from watches where merchant_id = $1 for update', [merchantId])
  const [row] = await statements.query<WatchRow>(unwatched('and w.merchant_id = $1'), [merchantId])
  const step = row && stepOf(row, statements.clock.nowMs())
  if (row === undefined || step === undefined) return undefined
  await statements.query(
    step === 'duty'
      ? 'update watches set duty_told_at = now() where merchant_id = $1'
      : 'update watches set owner_told_at = now() where merchant_id = $1',
    [merchantId],
  )
  const telling = tellingIn(step === 'duty' ? row.duty : row.owner)
  const told = { step, waiting: row.waiting, shop: row.name, url: deskUrl() }
  const people = await findPeople(statements, { merchantId, step, userId: telling?.user_id ?? null })
  const waiting = { merchantId, waiting: ordersOf(row.waiting) }
  const digits = telling?.by === 'text' ? usDigits(telling.phone ?? '') : undefined
  if (telling && digits !== undefined && people.some(({ user_id: id }) => id === telling.user_id)) {
    await statements.query(
      'insert into watch_texts (merchant_id, text_id, step, user_id, number, waiting) values ($1, $2, $3, $4, $5, $6)',
      [merchantId, randomUUID(), step, telling.user_id, `+1${digits}`, row.waiting],
    )
    const devices = await pushCase(statements, { ...waiting, userIds: [telling.user_id] })
    return { step, by: 'text', waiting: row.waiting, devices }
  }
  await mailCase(statements, { stationery, merchantId, people }, told)
  const devices = await pushCase(statements, { ...waiting, userIds: people.map(({ user_id: id }) => id) })
  return { step, by: 'mail', waiting: row.waiting, devices }
}

interface WatchPerson {
  readonly user_id: string
  readonly email: string
  readonly first_name: string
}

interface Wanted {
  readonly merchantId: string
  readonly step: Step
  readonly userId: string | null
}

/** The person of the settings; every owner where that person has left the store, or is an owner no longer. */
export async function findPeople(
  { query }: Statements,
  { merchantId, step, userId }: Wanted,
): Promise<WatchPerson[]> {
  const people = await query<WatchPerson & { is_named: boolean }>(
    `select user_id, email, first_name, user_id = $2 and ($3 or $4 = any (roles)) as is_named from users
     where merchant_id = $1 and password_hash is not null and (user_id = $2 or $4 = any (roles))
     order by user_id limit 50`,
    [merchantId, userId ?? '', step === 'duty', ownerRole],
  )
  const named = people.filter(({ is_named: isNamed }) => isNamed)
  return named.length > 0 ? named : people.filter(({ user_id: id }) => id !== userId)
}

interface Addressees {
  readonly stationery: Stationery
  readonly merchantId: string
  readonly people: readonly WatchPerson[]
}

export async function mailCase(
  statements: Statements,
  { stationery, merchantId, people }: Addressees,
  told: Case,
): Promise<void> {
  for (const { email, first_name: firstName } of people)
    await promiseMail(statements, { recipient: email, merchantId, stationery }, letterOf(told, firstName))
}
