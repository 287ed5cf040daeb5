import type { OutgoingMessage } from '@cellarhand/contract/demo'
import type { Database } from '#platform/db/database.ts'
import { openLetter } from '#platform/mail/outgoing.ts'

const newest = 100

export interface OutboxDeps {
  readonly db: Database
  readonly open: (sealed: string) => string
}

interface MailRow {
  readonly mail_id: string
  readonly recipient: string
  readonly subject: string
  readonly letter_sealed: string
  readonly created_at: Date
}

export async function listMessages({ db, open }: OutboxDeps): Promise<OutgoingMessage[]> {
  const rows = await db.systemQuery<MailRow>(
    `select mail_id, recipient, subject, letter_sealed, created_at from outgoing_mails
     where letter_sealed is not null order by created_at desc, mail_id limit ${newest}`,
  )
  return rows.map((row) => {
    const { text, html } = openLetter(open, row.letter_sealed)
    return {
      id: row.mail_id,
      kind: 'mail',
      to: row.recipient,
      subject: row.subject,
      text,
      html,
      links: linksIn(text),
      created_at: row.created_at.toISOString(),
    }
  })
}

export const linkPattern = /https?:\/\/[^\s<>"]+/g

function linksIn(text: string): string[] {
  return [...new Set(text.match(linkPattern) ?? [])]
}
