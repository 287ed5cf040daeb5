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
  return [...rows.map(toMail), ...(await listTexts(db))]
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    .slice(0, newest)

  function toMail(row: MailRow): OutgoingMessage {
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
  }
}

async function listTexts(db: Database): Promise<OutgoingMessage[]> {
  const rows = await db.systemQuery<{ message_id: string; number: string; body: string; created_at: Date }>(
    `select message_id, number, body, created_at from sandbox_texts order by created_at desc, message_id limit ${newest}`,
  )
  return rows.map(({ message_id, number, body, created_at }) => ({
    id: message_id,
    kind: 'text_message',
    to: number,
    subject: 'Text message',
    text: body,
    html: '',
    links: linksIn(body),
    created_at: created_at.toISOString(),
  }))
}

export const linkPattern = /https?:\/\/[^\s<>"]+/g

function linksIn(text: string): string[] {
  return [...new Set(text.match(linkPattern) ?? [])]
}
