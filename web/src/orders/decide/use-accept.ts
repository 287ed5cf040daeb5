import { use } from 'react'
import { preferences } from '#lib/kept/preferences.ts'
import { DeskTools } from '../select/desk-tools.ts'
import { acceptanceOf, type Acceptance } from '../state/acceptance.ts'
import type { Order } from '../state/queries.ts'
import { useOrderCommand } from './use-order-command.ts'

/** Accepts on the screen at once, and merges the server's answer when it arrives. */
export function useAccept(order: Order, onDone: () => void): () => void {
  const { printSlip } = use(DeskTools)
  const accept = useOrderCommand({
    event: 'Accept Order',
    order,
    decision: 'accept',
    send: async (body: Acceptance, ask) => {
      const changed = await ask('PUT /m/v2/orders/{id}', { params: { id: order.id }, body })
      if (preferences.get().printsOnAccept) void printSlip?.(changed)
      return changed
    },
    expected: (before) =>
      before.status === 'SUBMITTED' ? { ...before, status: 'MERCHANT_ACCEPTED' } : before,
    onDone,
  })
  return () => accept.mutate(acceptanceOf(order))
}
