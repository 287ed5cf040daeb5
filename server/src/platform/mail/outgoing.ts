import { randomUUID } from 'node:crypto'
import { isOpen } from '../db/closed-merchant.ts'
import type { Database, Statements } from '../db/database.ts'
import { claim, fewestUnderWay, type DueTable } from '../jobs/claim.ts'
import { startDueWork } from '../jobs/due-work.ts'
import { errorText } from '../jobs/error-text.ts'
import type { Worker } from '../jobs/worker.ts'
import { toHtml, toPlainText, type Letter } from './letter.ts'
import { MailBounced, type Mailer } from './mailer.ts'

/** Mails are sealed for it. */
export const mailsPurpose = 'mails'
const atOnce = 5
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
  /** Somebody waits for it at a screen. It goes before the other mails of its merchant, as if it were due for long. */
  readonly isAwaited?: boolean
}

export interface LetterBodies {
  readonly text: string
  readonly html: string
}

/** The transaction that promises the mail stores it: after a rollback nothing is sent. Answers the mail's id. */
export async function promiseMail(
  statements: Statements,
  { recipient, merchantId, stationery: { product, seal }, isAwaited = false }: Addressed,
  letter: Letter,
): Promise<string> {
  const id = randomUUID()
  const bodies: LetterBodies = { text: toPlainText(letter, product), html: toHtml(letter, product) }
  await statements.query(
    `insert into outgoing_mails (mail_id, merchant_id, recipient, subject, letter_sealed, due_at)
     values ($1, $2, $3, $4, $5, now() - case when $6 then interval '1 hour' else interval '0' end)`,
    [id, merchantId, recipient, letter.subject, seal(JSON.stringify(bodies)), isAwaited],
  )
  return id
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

interface DueMail {
  readonly mail_id: string
  readonly recipient: string
  readonly subject: string
  readonly letter_sealed: string
  readonly attempts: number
}

const mails: DueTable<DueMail> = {
  table: 'outgoing_mails',
  key: { mail_id: 'text' },
  due: 'due_at',
  fence: 'attempts',
  idOf: ({ mail_id, attempts }) => [mail_id, attempts],
}

/** Sends the mails that are due; several processes share the work. */
export function startMailSender({ db, mailer, open, onError }: MailSenderDeps): Worker {
  if (mailer === undefined) return { wake: () => undefined, stop: async () => undefined }
  return startDueWork({
    db,
    table: mails,
    take: (free) =>
      claim<DueMail>({ query: db.systemQuery }, mails, {
        which: 'due_at <= now() and sent_at is null and given_up_at is null and letter_sealed is not null',
        first: fewestUnderWay(mails, 'sent_at is null and given_up_at is null'),
        limit: free,
        returning: 'mail_id, recipient, subject, letter_sealed, attempts',
      }),
    run: (mail) => sendOne({ db, mailer, open }, mail),
    atOnce,
    onError,
  })
}

/** Ends the wait of the mails that a restore holds back. Answers how many they are. A merchant on its way takes its along. */
export async function releaseMails(
  { query }: Statements,
  { isDropped }: { isDropped: boolean },
): Promise<number> {
  const released = await query(
    `update outgoing_mails set due_at = now(), given_up_at = case when $1 then now() end,
       error = case when $1 then 'Held back by a restore, and dropped' end
     where due_at = 'infinity' and sent_at is null and given_up_at is null and ${isOpen('merchant_id')} returning 1`,
    [isDropped],
  )
  return released.length
}

interface Sending {
  readonly db: Database
  readonly mailer: Mailer
  readonly open: (sealed: string) => string
}

async function sendOne({ db, mailer, open }: Sending, mail: DueMail): Promise<void> {
  try {
    const { mail_id: id, recipient, subject } = mail
    await mailer({ id, recipient, subject, ...openLetter(open, mail.letter_sealed) })
    // The mail has left, whichever process holds it by now.
    await db.systemQuery('update outgoing_mails set sent_at = now(), error = null where mail_id = $1', [
      mail.mail_id,
    ])
  } catch (error) {
    const isBounced = error instanceof MailBounced
    const reason = errorText(error)
    const minutes = isBounced ? undefined : retryMinutes[mail.attempts - 1]
    // A report that the mail came back stays: the answer to its sending was lost.
    await db.systemQuery(
      `update outgoing_mails set error = $3, due_at = now() + make_interval(mins => coalesce($4, 0)),
         given_up_at = case when $4::int is null or bounced_at is not null then now() end,
         bounced_at = case when $5 then now() else bounced_at end, bounce_reason = case when $5 then $3 else bounce_reason end
       where mail_id = $1 and attempts = $2`,
      [...mails.idOf(mail), reason, minutes ?? null, isBounced],
    )
  }
}
