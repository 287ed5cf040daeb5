import type { Taken } from '@cellarhand/contract/orders'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { StoredOrder } from './stored-order.ts'

export interface OrderKey {
  readonly merchantId: string
  readonly orderId: string
}

export interface LockedOrder {
  readonly order: StoredOrder
  readonly deadlineAt: Date
  readonly timezone: string
  /** When it last left the shop; null for one that never did. */
  readonly shippedAt: Date | null
  /** The least version of the next change: after a restore, earlier ones may already have been sent out. */
  readonly leastVersion: number
  readonly taken: Taken | null
}

interface LockedRow {
  readonly document: string
  readonly deadline_at: Date
  readonly timezone: string
  readonly shipped_at: Date | null
  readonly least_version: number
  readonly taken: string | null
}

const lockedColumns = 'o.document, o.deadline_at, o.shipped_at, m.timezone, m.least_version, o.taken'

function toLockedOrder(row: LockedRow): LockedOrder {
  return {
    order: JSON.parse(row.document) as StoredOrder,
    deadlineAt: row.deadline_at,
    timezone: row.timezone,
    shippedAt: row.shipped_at,
    leastVersion: row.least_version,
    taken: row.taken === null ? null : (JSON.parse(row.taken) as Taken),
  }
}

/** Locks the order until the transaction ends. Of two clerks, the second waits and then sees the first's change. */
export async function lockOrder(
  statements: Statements,
  { merchantId, orderId }: OrderKey,
): Promise<LockedOrder> {
  const [row] = await statements.query<LockedRow>(
    `select ${lockedColumns}
     from orders o join merchants m using (merchant_id)
     where o.merchant_id = $1 and o.order_id = $2 for update of o`,
    [merchantId, orderId],
  )
  return row === undefined ? refuse('not_found') : toLockedOrder(row)
}

/** Locks several, always in the same sequence, to avoid deadlocks. */
export async function lockOrders(
  statements: Statements,
  merchantId: string,
  orderIds: readonly string[],
): Promise<Map<string, LockedOrder>> {
  const rows = await statements.query<LockedRow>(
    `select ${lockedColumns}
     from orders o join merchants m using (merchant_id)
     where o.merchant_id = $1 and o.order_id = any($2) order by o.order_id for update of o`,
    [merchantId, orderIds],
  )
  return new Map(rows.map(toLockedOrder).map((locked) => [locked.order.id, locked]))
}
