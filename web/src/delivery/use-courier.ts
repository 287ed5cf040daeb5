import { useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import type { StepDialogProps } from '#orders/public.ts'
import { orderQuery } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { useTold } from '#ui/notes/told.ts'
import { firstError } from './first-error.ts'

/** The courier service needs a moment until its answer is in the order (DELIV-016). */
const reloadAfterMs = 1500

type Order = StepDialogProps['order']

export function useCourierRefresh(order: Order) {
  const queryClient = useQueryClient()
  return useTold({
    action: `courier of ${order.id}`,
    attempt: async () => {
      const params = { tmk: merchantKey(), id: order.id }
      await call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/refresh', { params })
      await new Promise((resolve) => setTimeout(resolve, reloadAfterMs))
      await queryClient.invalidateQueries({ queryKey: orderQuery(order.id).queryKey })
    },
    failure: (error) => ['The courier could not be asked.', firstError(error)],
  })
}
