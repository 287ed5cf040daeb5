import type { Statements } from '#platform/db/database.ts'
import { lockOrders, writeChanges, type Actor, type LockedChange } from '#orders/public.ts'

export interface Printing {
  readonly merchantId: string
  readonly actor: Actor
  readonly madeAt: Date
}

/**
 * The first packing slip of an order marks it; later ones change nothing (GAP-112). Returns each order's earlier first
 * printing; orders that do not exist have no entry.
 */
export async function markPrinted(
  statements: Statements,
  { merchantId, actor, madeAt }: Printing,
  orderIds: readonly string[],
): Promise<Map<string, string | null>> {
  const printedBefore = new Map<string, string | null>()
  const firstPrints: LockedChange[] = []
  for (const [id, locked] of await lockOrders(statements, merchantId, orderIds)) {
    const firstPrintedAt = locked.order.printed_timestamp
    printedBefore.set(id, firstPrintedAt)
    if (firstPrintedAt === null)
      firstPrints.push({
        locked,
        change: { action: 'print_packing_slip', actor, patch: { printed_timestamp: madeAt.toISOString() } },
      })
  }
  await writeChanges(statements, merchantId, firstPrints)
  return printedBefore
}
