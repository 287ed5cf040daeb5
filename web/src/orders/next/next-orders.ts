import { displayGroupOf } from '@cellarhand/contract/order-statuses'
import type { QueryClient } from '@tanstack/react-query'
import { merchantKey, session } from '#sign-in/public.ts'
import { toast } from '#ui/notes/toasts.tsx'
import { presences } from '../live/presence.ts'
import { isLineAway } from '../offline/line-state.ts'
import { notSent } from '../order/unconfirmed.ts'
import { knownOrder } from '../state/order-cache.ts'
import type { Order } from '../state/queries.ts'
import { queueQuery } from '../state/queries.ts'

/** The next order to decide, or the next accepted one to bring on its way. */
export type NextKind = 'decide' | 'do'

/**
 * The first order of the queue that no colleague has taken or has open. The screen knows of its own decision before the queue does,
 * so an order whose state has changed here is passed over.
 */
export function nextOf(queryClient: QueryClient, kind: NextKind, except?: string): string | undefined {
  const queue = queryClient.getQueryData(queueQuery(merchantKey()).queryKey)
  const self = session.get().user?.id
  const ofOthers = new Set(queue?.taken?.flatMap(({ id, by }) => (by === self ? [] : [id])))
  return queue?.[kind].find(
    (id) =>
      id !== except &&
      !ofOthers.has(id) &&
      !isOpenElsewhere(id) &&
      !notSent.get().has(id) &&
      isStillNext(kind, knownOrder(queryClient, id)),
  )
}

/** The same for a page that may have been opened without the list, so that the queue is still to come. */
export async function nextOnceKnown(
  queryClient: QueryClient,
  kind: NextKind,
  except?: string,
): Promise<string | undefined> {
  await queryClient.ensureQueryData(queueQuery(merchantKey())).catch(() => undefined)
  return nextOf(queryClient, kind, except)
}

/** Opens the next order to do, or says that there is none. */
export async function openWork(queryClient: QueryClient, open: (id: string) => void, except?: string) {
  const id = await nextOnceKnown(queryClient, 'do', except)
  if (id === undefined) sayNoneLeft('do')
  else open(id)
}

/** The queue holds the first orders alone, and without a line nothing says which come after them. */
export function sayNoneLeft(kind: NextKind): void {
  if (isLineAway())
    toast(
      'success',
      `No more orders to ${kind} on this device`,
      'The next ones show once the connection is back.',
    )
  else toast('success', `No more orders to ${kind}`)
}

function isOpenElsewhere(id: string): boolean {
  const self = session.get().user?.id
  return presences.get().items.some(({ order_id, user_id }) => order_id === id && user_id !== self)
}

function isStillNext(kind: NextKind, order: Order | undefined): boolean {
  if (!order) return true
  const isAccepted = displayGroupOf(order.status, order.printed_timestamp) === 'accepted'
  return kind === 'decide' ? order.status === 'SUBMITTED' : isAccepted
}
