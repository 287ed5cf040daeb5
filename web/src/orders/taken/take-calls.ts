import { bulkLimit } from '@cellarhand/contract/bulk'
import type { QueryClient } from '@tanstack/react-query'
import { call, CallError } from '#lib/calls/call.ts'
import { sendOnce } from '#lib/calls/send-once.ts'
import { track } from '#lib/reports/analytics.ts'
import { merchantKey } from '#sign-in/public.ts'
import { replaceOrder } from '../state/order-cache.ts'
import type { Order } from '../state/queries.ts'
import { orderQuery } from '../state/queries.ts'

/** Takes the order, or lets it go. Over from a colleague, where one is named. */
export async function sendTake(
  queryClient: QueryClient,
  order: Order,
  { isLeft, over }: { isLeft: boolean; over?: string },
): Promise<Order> {
  const params = { tmk: merchantKey(), id: order.id }
  const wanted = `take ${order.id} ${Math.ceil(order.version)} ${isLeft} ${over}`
  try {
    const changed = await sendOnce(wanted, (once) =>
      isLeft
        ? call('DELETE /m/v2/merchant/{tmk}/orders/{id}/taken', { params }, once)
        : call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', { params, body: over ? { over } : {} }, once),
    )
    track(isLeft ? 'Let Order Go' : 'Take Order')
    replaceOrder(queryClient, changed)
    return changed
  } catch (error) {
    // A colleague was faster, or the order is done: the screen shows the order as it is.
    if (error instanceof CallError && error.body['order'])
      replaceOrder(queryClient, error.body['order'] as Order)
    throw error
  } finally {
    void queryClient.invalidateQueries({ queryKey: orderQuery(order.id).queryKey })
  }
}

interface Outcome {
  done: number
  refused: { id: string; message: string }[]
}

/** Many orders go in several calls; a call that fails undoes none before it. */
export async function sendTakeMany(
  orders: readonly { id: string; version: number }[],
  isLeft: boolean,
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, refused: [] }
  const params = { tmk: merchantKey() }
  for (let from = 0; from < orders.length; from += bulkLimit) {
    const part = orders.slice(from, from + bulkLimit)
    const body = { orders: part.map(({ id }) => ({ id })) }
    const wanted = `take ${isLeft} ${part.map(({ id, version }) => `${id}/${version}`).join(' ')}`
    await sendOnce(wanted, async (once) => {
      if (isLeft) {
        const reply = await call('POST /m/v2/merchant/{tmk}/orders/bulk/let_go', { params, body }, once)
        outcome.done += reply.let_go_count
        return
      }
      const reply = await call('POST /m/v2/merchant/{tmk}/orders/bulk/take', { params, body }, once)
      outcome.done += reply.taken_count
      outcome.refused.push(...reply.not_taken)
    })
  }
  return outcome
}
