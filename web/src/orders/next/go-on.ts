import type { QueryClient } from '@tanstack/react-query'
import { toast } from '#ui/notes/toasts.tsx'
import { shown } from '../state/shown.ts'
import { nextOnceKnown } from './next-orders.ts'

interface Decided {
  queryClient: QueryClient
  id: string
  /** Opens the view of an order. */
  open: (id: string) => void
}

/** After a decision: on the list the dialog of the next one, in the order view the next order. */
export async function goOn({ queryClient, id, open }: Decided): Promise<void> {
  const next = await nextOnceKnown(queryClient, 'decide', id)
  if (next === undefined) toast('success', 'No more orders to decide')
  else if (shown.decide) shown.decide(next)
  else open(next)
}
