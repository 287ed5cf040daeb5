import { documentNames } from '@cellarhand/contract/content'
import type { Database } from '#platform/db/database.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'

export interface BannerDocument {
  readonly name: string
  readonly text: string
  readonly message?: string | undefined
  readonly title?: string | undefined
  readonly color?: string | undefined
}

function isKnown(name: string): boolean {
  return (documentNames as readonly string[]).includes(name)
}

const unknownName = `Must be one of: ${documentNames.join(', ')}`

/** Replaces an earlier document of this name. */
export async function publishDocument(
  db: Pick<Database, 'systemQuery'>,
  { name, text, message, title, color }: BannerDocument,
): Promise<void> {
  const longerThan = (value: string | undefined, most: number) =>
    (value?.length ?? 0) > most ? `Must have at most ${most} characters` : undefined
  refuseInvalid({
    name: isKnown(name) ? undefined : unknownName,
    text: text.trim() === '' ? 'Please enter what the banner says' : longerThan(text, 300),
    message: longerThan(message, 10_000),
    title: longerThan(title, 200),
    color:
      color === undefined || /^#[0-9a-f]{6}$/i.test(color) ? undefined : 'Must be a colour such as #7b1e3a',
  })
  await db.systemQuery(
    `insert into documents (name, notification_text, message, modal_title, notification_color) values ($1, $2, $3, $4, $5)
     on conflict (name) do update set notification_text = excluded.notification_text, message = excluded.message,
       modal_title = excluded.modal_title, notification_color = excluded.notification_color, published_at = now()`,
    [name, text.trim(), message ?? null, title ?? null, color ?? null],
  )
}

/** Returns whether there was one. */
export async function withdrawDocument(db: Database, name: string): Promise<boolean> {
  refuseInvalid({ name: isKnown(name) ? undefined : unknownName })
  const rows = await db.systemQuery('delete from documents where name = $1 returning 1', [name])
  return rows.length === 1
}
