import type { Statements } from '#platform/db/database.ts'
import { lockOrders, writeChange, type Actor } from '#orders/public.ts'

export interface Printing {
  readonly merchantId: string
  readonly actor: Actor
  readonly madeAt: Date
}

/**
 * The first packing slip of an order marks it; later ones change nothing (GAP-112). Answers when each was first
 * printed before; orders that are not there have no entry.
 */
export async function markPrinted(
  statements: Statements,
  { merchantId, actor, madeAt }: Printing,
  orderIds: readonly string[],
): Promise<Map<string, string | null>> {
  const printedBefore = new Map<string, string | null>()
  for (const [id, locked] of await lockOrders(statements, merchantId, orderIds)) {
    const firstPrintedAt = locked.order.printed_timestamp
    printedBefore.set(id, firstPrintedAt)
    if (firstPrintedAt === null)
      await writeChange(statements, merchantId, {
        locked,
        change: { action: 'print_packing_slip', actor, patch: { printed_timestamp: madeAt.toISOString() } },
      })
  }
  return printedBefore
}
