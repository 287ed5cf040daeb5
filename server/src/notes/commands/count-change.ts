import type { Statements } from '#platform/db/database.ts'

/** Of two changes of a merchant's notes, the second waits here until the first is committed. */
export async function countChange({ query }: Statements, merchantId: string): Promise<void> {
  await query(
    `insert into note_changes as c (merchant_id) values ($1)
     on conflict (merchant_id) do update set changes = c.changes + 1`,
    [merchantId],
  )
}
