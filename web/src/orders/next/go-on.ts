import type { QueryClient } from '@tanstack/react-query'
import { merchantKey } from '#sign-in/public.ts'
import { toast } from '#ui/notes/toasts.tsx'
import { queueQuery } from '../state/queries.ts'
import { shown } from '../state/shown.ts'
import { nextOf } from './next-orders.ts'

interface Decided {
  queryClient: QueryClient
  id: string
  /** Opens the view of an order. */
  open: (id: string) => void
}

/** After a decision: on the list the dialog of the next one, in the order view the next order. */
export async function goOn({ queryClient, id, open }: Decided): Promise<void> {
  await queryClient.ensureQueryData(queueQuery(merchantKey())).catch(() => undefined)
  const next = nextOf(queryClient, 'decide', id)
  if (next === undefined) toast('success', 'No more orders to decide')
  else if (shown.decide) shown.decide(next)
  else open(next)
}
