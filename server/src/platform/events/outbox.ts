import type { Statements } from '../db/database.ts'

export interface OutboxEvent {
  readonly merchantId: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Written by the transaction that causes the event: a rolled-back change never happened for anybody. */
export async function recordEvent(
  statements: Statements,
  { merchantId, kind, payload }: OutboxEvent,
): Promise<void> {
  await statements.query('insert into outbox (merchant_id, kind, payload) values ($1, $2, $3)', [
    merchantId,
    kind,
    JSON.stringify(payload),
  ])
}
