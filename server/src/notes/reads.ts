import { notesAtMost, type NotedOrder, type Notes } from '@cellarhand/contract/notes'
import { hasPermission } from '@cellarhand/contract/permissions'
import type { Database, Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { LiveState } from '#orders/public.ts'

/** What the notes are about: an order, or the store and its shifts. */
export interface Subject {
  readonly merchantId: string
  /** Empty for the store. */
  readonly orderId: string
}

export function subjectOf(merchantId: string, orderId = ''): Subject {
  return { merchantId, orderId }
}

/** Another merchant's order is as absent as one that never was. */
export async function requireSubject({ query }: Statements, { merchantId, orderId }: Subject): Promise<void> {
  if (orderId === '') return
  const rows = await query('select 1 from orders where merchant_id = $1 and order_id = $2', [
    merchantId,
    orderId,
  ])
  if (rows.length === 0) refuse('not_found')
}

/** Anybody of the shop deletes their own; managers and owners also those of others, for a person who asks to be erased. */
export function mayDeleteAll({ roles }: Pick<Staff, 'roles'>): boolean {
  return hasPermission(roles, 'company.edit')
}

export async function listNotes(statements: Statements, subject: Subject, caller: Staff): Promise<Notes> {
  const [rows] = await Promise.all([
    statements.query<{ note_id: string; words: string; author_id: string; author: string; written_at: Date }>(
      `select note_id, words, author_id, author, written_at from notes
       where merchant_id = $1 and order_id = $2 order by written_at desc, note_id limit ${notesAtMost}`,
      [subject.merchantId, subject.orderId],
    ),
    requireSubject(statements, subject),
  ])
  return {
    notes: rows.map((row) => ({
      id: row.note_id,
      text: row.words,
      author: row.author,
      at: row.written_at.toISOString(),
      can_delete: row.author_id === caller.userId || mayDeleteAll(caller),
    })),
  }
}

/** A range of the primary key for each order, so it costs as much as these orders have notes. */
export async function listNewestNotes(
  { query }: Statements,
  merchantId: string,
  orderIds: readonly string[],
): Promise<NotedOrder[]> {
  const rows = await query<{
    order_id: string
    count: number
    words: string
    author: string
    written_at: Date
  }>(
    `select distinct on (order_id) order_id, words, author, written_at,
       count(*) over (partition by order_id)::int as count
     from notes where merchant_id = $1 and order_id = any ($2)
     order by order_id, written_at desc, note_id`,
    [merchantId, orderIds],
  )
  return rows.map((row) => ({
    id: row.order_id,
    count: row.count,
    newest: { text: row.words, author: row.author, at: row.written_at.toISOString() },
  }))
}

const lookAgainMs = 15_000

/** Tells each screen of a merchant that notes have changed, and not what they say. */
export function noteState(db: Database): LiveState {
  return {
    name: 'notes',
    followsOrders: false,
    lookAgainMs,
    async read(merchantIds) {
      const rows = await db.systemQuery<{ merchant_id: string; changes: number }>(
        `select wanted.merchant_id, coalesce(n.changes, 0) as changes
         from unnest($1::text[]) as wanted (merchant_id) left join note_changes n using (merchant_id)`,
        [merchantIds],
      )
      return new Map(rows.map(({ merchant_id, changes }) => [merchant_id, `{"changes":${changes}}`]))
    },
  }
}
