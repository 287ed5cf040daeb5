import type { Statements } from '../db/database.ts'

export interface OutboxEvent {
  readonly merchantId: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Told to the merchant's own screens, and to nobody outside. */
  readonly isInternal?: boolean
}

/** The transaction that causes the event writes it: after a rollback there is no event. */
export async function recordEvent(
  statements: Statements,
  { merchantId, kind, payload, isInternal = false }: OutboxEvent,
): Promise<void> {
  await statements.query(
    'insert into outbox (merchant_id, kind, payload, is_internal) values ($1, $2, $3, $4)',
    [merchantId, kind, JSON.stringify(payload), isInternal],
  )
}
