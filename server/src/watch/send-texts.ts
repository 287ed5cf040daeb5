import { sendPromised, type TextService } from '#delivery/public.ts'
import { requireOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { claim, fewestUnderWay, type DueTable } from '#platform/jobs/claim.ts'
import { startDueWork } from '#platform/jobs/due-work.ts'
import { errorText } from '#platform/jobs/error-text.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { findPeople, mailCase } from './tell-case.ts'
import { textOf, type Case, type Step } from './words.ts'

const atOnce = 5
/** A message that comes late helps nobody: then a mail goes. */
const triesAtMost = 3
const pauseSeconds = 30

interface TextRow {
  readonly merchant_id: string
  readonly text_id: string
  readonly step: Step
  readonly user_id: string
  readonly number: string
  readonly waiting: number
  readonly attempts: number
  readonly created_at: Date
}

const textsDue: DueTable<TextRow> = {
  table: 'watch_texts',
  key: { merchant_id: 'text', text_id: 'text' },
  due: 'due_at',
  fence: 'attempts',
  idOf: ({ merchant_id, text_id, attempts }) => [merchant_id, text_id, attempts],
}

export interface TextDeps {
  readonly db: Database
  readonly texts: TextService
  readonly stationery: Stationery
  readonly deskUrl: () => string | undefined
  readonly onMail: () => void
  readonly onError: (error: unknown) => void
}

/** Sends the text messages of the watches; several processes share the work. */
export function startWatchTexts(deps: TextDeps): Worker {
  const { db, onError } = deps
  return startDueWork({
    db,
    table: textsDue,
    take: (free) =>
      claim<TextRow>({ query: db.systemQuery }, textsDue, {
        which: 'due_at <= now() and ended_at is null',
        first: fewestUnderWay(textsDue, 'ended_at is null'),
        limit: free,
        returning: 'merchant_id, text_id, step, user_id, number, waiting, attempts, created_at',
      }),
    run: (row) => sendOne(deps, row),
    atOnce,
    onError,
  })
}

async function sendOne(deps: TextDeps, row: TextRow): Promise<void> {
  const { db, stationery } = deps
  const [shop] = await db.systemQuery<{ name: string }>('select name from merchants where merchant_id = $1', [
    row.merchant_id,
  ])
  const told: Case = { ...row, shop: shop?.name ?? '', url: deps.deskUrl() }
  const text = { messageId: row.text_id, number: row.number, body: textOf(told, stationery.product) }
  const sent = await sendPromised(deps, text, {
    merchantId: row.merchant_id,
    attempts: row.attempts,
    triesAtMost,
    createdAt: row.created_at,
  })
  if (sent.outcome === 'again') return tryLater(db, row, sent.error)
  if (sent.outcome === 'never') return mailInstead(deps, { row, told, error: sent.error })
  await db.systemQuery(
    'update watch_texts set ended_at = now(), error = null where merchant_id = $1 and text_id = $2',
    [row.merchant_id, row.text_id],
  )
}

async function tryLater(db: Database, row: TextRow, error: unknown): Promise<void> {
  await db.systemQuery(
    `update watch_texts set due_at = now() + make_interval(secs => $4), error = $5
     where merchant_id = $1 and text_id = $2 and attempts = $3`,
    [row.merchant_id, row.text_id, row.attempts, pauseSeconds, errorText(error)],
  )
}

async function mailInstead(
  { db, stationery, onMail }: TextDeps,
  { row, told, error }: { row: TextRow; told: Case; error: unknown },
): Promise<void> {
  const { merchant_id: merchantId, user_id: userId } = row
  await db.system(async (statements) => {
    await requireOpen(statements, merchantId)
    const ended = await statements.query(
      `update watch_texts set ended_at = now(), error = $4
       where merchant_id = $1 and text_id = $2 and attempts = $3 and ended_at is null returning 1`,
      [merchantId, row.text_id, row.attempts, errorText(error)],
    )
    if (ended.length === 0) return
    const people = await findPeople(statements, { merchantId, step: row.step, userId })
    await mailCase(statements, { stationery, merchantId, people }, told)
  })
  onMail()
}
