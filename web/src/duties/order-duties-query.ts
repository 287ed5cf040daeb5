import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { painted } from '#lib/parts/after-paint.ts'
import type { Order } from '#orders/public.ts'

export const orderDutiesLine = 'GET /m/v2/merchant/{tmk}/orders/{id}/duties'

/** What the rules ask of the order now; a change of the order asks again. */
export function orderDutiesQuery(tmk: string, { id, version }: Pick<Order, 'id' | 'version'>) {
  return queryOptions({
    queryKey: [orderDutiesLine, tmk, id, version],
    queryFn: async ({ signal }) => {
      await painted()
      return call(orderDutiesLine, { params: { tmk, id } }, { signal })
    },
    placeholderData: (before) => before,
  })
}
