import type { Statements } from '#platform/db/database.ts'
import { lockOrder, writeChange, type Actor, type OrderKey } from '#orders/public.ts'

/** The first packing slip of an order marks it; later ones change nothing (GAP-112). Answers when the first one was. */
export async function markPrinted(
  statements: Statements,
  { actor, madeAt, ...key }: OrderKey & { readonly actor: Actor; readonly madeAt: Date },
): Promise<string | null> {
  const locked = await lockOrder(statements, key)
  const firstPrintedAt = locked.order.printed_timestamp
  if (firstPrintedAt === null)
    await writeChange(statements, key.merchantId, {
      locked,
      change: { action: 'print_packing_slip', actor, patch: { printed_timestamp: madeAt.toISOString() } },
    })
  return firstPrintedAt
}
