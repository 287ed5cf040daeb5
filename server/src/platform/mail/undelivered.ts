import type { Database } from '../db/database.ts'

export interface UndeliveredMail {
  readonly recipient: string
  readonly subject: string
  /** The mail server's words, or that no server took the mail. */
  readonly reason: string
  readonly at: Date
}

/** Of the last seven days; a later mail to the same person replaces an earlier one. */
export async function listUndelivered(db: Database, merchantId: string): Promise<UndeliveredMail[]> {
  return db.systemQuery<UndeliveredMail>(
    `select recipient, subject, coalesce(bounce_reason, 'the mail server could not be reached for hours') as reason, given_up_at as at
     from outgoing_mails m
     where merchant_id = $1 and given_up_at is not null and created_at > now() - interval '7 days'
       and not exists (select from outgoing_mails newer
         where newer.merchant_id = m.merchant_id and lower(newer.recipient) = lower(m.recipient)
           and newer.created_at > m.created_at)
     order by given_up_at desc limit 100`,
    [merchantId],
  )
}

export interface Bounce {
  /** Our own id, if the provider reports it. Otherwise the newest mail sent before the report is meant. */
  readonly mailId: string | undefined
  readonly recipient: string
  readonly reason: string
  readonly at: Date
}

/**
 * Records that a mail came back. A report that names the mail may come before the mail server's answer, or after a lost
 * one. A second report changes nothing.
 */
export async function noteBounce(db: Database, { mailId, recipient, reason, at }: Bounce): Promise<void> {
  await db.systemQuery(
    `update outgoing_mails set bounced_at = now(), bounce_reason = $3, given_up_at = coalesce(given_up_at, now())
     where bounced_at is null and mail_id = (
       select mail_id from outgoing_mails
       where lower(recipient) = lower($2)
         and ((mail_id = $1 and attempts > 0) or ($1::text is null and sent_at <= $4))
       order by sent_at desc limit 1)`,
    [mailId ?? null, recipient, reason.slice(0, 500), at],
  )
}
