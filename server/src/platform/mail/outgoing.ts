import { randomUUID } from 'node:crypto'
import type { Database, Statements } from '../db/database.ts'
import { toHtml, toPlainText, type Letter } from './letter.ts'
import type { Mailer } from './mailer.ts'

const pollMs = 5_000
const batchSize = 10
/** A sender that dies leaves its mails to the others after this. */
const leaseSeconds = 60
const retryMinutes = [1, 5, 30, 120, 720]

export interface Addressed {
  readonly recipient: string
  readonly merchantId: string | null
  readonly product: string
}

/** Written by the transaction that promises the mail: what is rolled back is never sent. */
export async function promiseMail(
  statements: Statements,
  { recipient, merchantId, product }: Addressed,
  letter: Letter,
): Promise<void> {
  await statements.query(
    'insert into outgoing_mails (mail_id, merchant_id, recipient, subject, body_text, body_html) values ($1, $2, $3, $4, $5, $6)',
    [
      randomUUID(),
      merchantId,
      recipient,
      letter.subject,
      toPlainText(letter, product),
      toHtml(letter, product),
    ],
  )
}

export interface MailSender {
  wake(): void
  stop(): Promise<void>
}

/** Sends what is due, over and over; several processes share the work. */
export function startMailSender(db: Database, mailer: Mailer | undefined, onError: (error: unknown) => void): MailSender {
  if (mailer === undefined) return { wake: () => undefined, stop: async () => undefined }
  let isStopped = false
  let working: Promise<void> | undefined
  const work = () => {
    if (isStopped) return
    working ??= sendAllDue(db, mailer)
      .catch(onError)
      .finally(() => (working = undefined))
  }
  const timer = setInterval(work, pollMs)
  return {
    wake: work,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await working
    },
  }
}

interface DueMail {
  readonly mail_id: string
  readonly recipient: string
  readonly subject: string
  readonly body_text: string
  readonly body_html: string
  readonly attempts: number
}

async function sendAllDue(db: Database, mailer: Mailer): Promise<void> {
  for (;;) {
    const mails = await claimDue(db)
    for (const mail of mails) await sendOne(db, mailer, mail)
    if (mails.length < batchSize) return
  }
}

async function claimDue(db: Database): Promise<DueMail[]> {
  return db.systemQuery<DueMail>(
    `update outgoing_mails set attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
     where mail_id in (
       select mail_id from outgoing_mails where sent_at is null and given_up_at is null and due_at <= now()
       order by due_at limit ${batchSize} for update skip locked
     ) returning mail_id, recipient, subject, body_text, body_html, attempts`,
  )
}

async function sendOne(db: Database, mailer: Mailer, mail: DueMail): Promise<void> {
  try {
    const { mail_id: id, recipient, subject, body_text: text, body_html: html } = mail
    await mailer({ id, recipient, subject, text, html })
    await db.systemQuery('update outgoing_mails set sent_at = now(), error = null where mail_id = $1', [
      mail.mail_id,
    ])
  } catch (error) {
    const minutes = isRefusedForGood(error) ? undefined : retryMinutes[mail.attempts - 1]
    await db.systemQuery(
      `update outgoing_mails set error = $2, due_at = now() + make_interval(mins => coalesce($3, 0)),
         given_up_at = case when $3::int is null then now() end where mail_id = $1`,
      [mail.mail_id, error instanceof Error ? error.message.slice(0, 500) : 'unknown', minutes ?? null],
    )
  }
}

/** SMTP says with a 5xx code that trying again is of no use (RFC 5321, 4.2.1). */
function isRefusedForGood(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  return code >= 500 && code < 600
}
