import { randomUUID } from 'node:crypto'
import type { Database, Statements } from '../db/database.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { toHtml, toPlainText, type Letter } from './letter.ts'
import { MailBounced, type Mailer } from './mailer.ts'

const pollMs = 5_000
const batchSize = 5
/** If a sender dies, others may take its mails after this; longer than the wait for the slowest mail server. */
const leaseSeconds = 300
const retryMinutes = [1, 5, 30, 120, 720]

/** The product's name, and the envelope that only this server opens. */
export interface Stationery {
  readonly product: string
  readonly seal: (text: string) => string
}

export interface Addressed {
  readonly recipient: string
  readonly merchantId: string | null
  readonly stationery: Stationery
}

export interface LetterBodies {
  readonly text: string
  readonly html: string
}

/** The transaction that promises the mail stores it: after a rollback nothing is sent. */
export async function promiseMail(
  statements: Statements,
  { recipient, merchantId, stationery: { product, seal } }: Addressed,
  letter: Letter,
): Promise<void> {
  const bodies: LetterBodies = { text: toPlainText(letter, product), html: toHtml(letter, product) }
  await statements.query(
    'insert into outgoing_mails (mail_id, merchant_id, recipient, subject, letter_sealed) values ($1, $2, $3, $4, $5)',
    [randomUUID(), merchantId, recipient, letter.subject, seal(JSON.stringify(bodies))],
  )
}

export function openLetter(open: (sealed: string) => string, sealed: string): LetterBodies {
  return JSON.parse(open(sealed)) as LetterBodies
}

export interface MailSenderDeps {
  readonly db: Database
  /** Without one, mails wait. */
  readonly mailer: Mailer | undefined
  readonly open: (sealed: string) => string
  readonly onError: (error: unknown) => void
}

/** Keeps sending due mails; several processes share the work. */
export function startMailSender(deps: MailSenderDeps): Worker {
  const { mailer } = deps
  if (mailer === undefined) return { wake: () => undefined, stop: async () => undefined }
  return startWorker({
    work: (isStopping) => sendAllDue({ ...deps, mailer }, isStopping),
    everyMs: pollMs,
    onError: deps.onError,
  })
}

type Sending = MailSenderDeps & { readonly mailer: Mailer }

interface DueMail {
  readonly mail_id: string
  readonly recipient: string
  readonly subject: string
  readonly letter_sealed: string
  readonly attempts: number
}

async function sendAllDue(sending: Sending, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const mails = await claimDue(sending.db)
    await Promise.all(mails.map((mail) => sendOne(sending, mail)))
    if (mails.length < batchSize) return
  }
}

async function claimDue(db: Database): Promise<DueMail[]> {
  return db.systemQuery<DueMail>(
    `update outgoing_mails set attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
     where mail_id in (
       select mail_id from outgoing_mails
       where sent_at is null and given_up_at is null and due_at <= now() and letter_sealed is not null
       order by due_at limit ${batchSize} for update skip locked
     ) returning mail_id, recipient, subject, letter_sealed, attempts`,
  )
}

async function sendOne({ db, mailer, open }: Sending, mail: DueMail): Promise<void> {
  try {
    const { mail_id: id, recipient, subject } = mail
    await mailer({ id, recipient, subject, ...openLetter(open, mail.letter_sealed) })
    await db.systemQuery('update outgoing_mails set sent_at = now(), error = null where mail_id = $1', [
      mail.mail_id,
    ])
  } catch (error) {
    const isBounced = error instanceof MailBounced
    const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    const minutes = isBounced ? undefined : retryMinutes[mail.attempts - 1]
    await db.systemQuery(
      `update outgoing_mails set error = $2, due_at = now() + make_interval(mins => coalesce($3, 0)),
         given_up_at = case when $3::int is null then now() end,
         bounced_at = case when $4 then now() end, bounce_reason = case when $4 then $2 end where mail_id = $1`,
      [mail.mail_id, reason, minutes ?? null, isBounced],
    )
  }
}
