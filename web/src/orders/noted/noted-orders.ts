import { notedAtMost, type NotedOrder } from '@cellarhand/contract/notes'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { createStore } from '#lib/kept/store.ts'
import { painted } from '#lib/parts/after-paint.ts'

const line = 'GET /m/v2/merchant/{tmk}/orders/notes'
const notesLine = 'GET /m/v2/merchant/{tmk}/orders/{id}/notes'

/** The orders of the shown lists that have notes. */
export const notedOrders = createStore<ReadonlyMap<string, NotedOrder>>(new Map())

export async function askNoted(tmk: string, ids: readonly string[]): Promise<NotedOrder[]> {
  const found: NotedOrder[] = []
  for (let from = 0; from < ids.length; from += notedAtMost) {
    const orders = ids.slice(from, from + notedAtMost).join(',')
    found.push(...(await call(line, { params: { tmk }, query: { orders } })).orders)
  }
  return found
}

/** Its line ends like those of the notes, so the event stream asks again for it too. */
export function notedQuery(queryClient: QueryClient, tmk: string, ids: readonly string[]) {
  return queryOptions({
    queryKey: [line, tmk, ids],
    queryFn: async () => {
      await painted()
      return askNoted(tmk, ids)
    },
    placeholderData: () => {
      const there = ids.flatMap((id) => knownOf(queryClient, tmk, id) ?? [])
      return there.length > 0 ? there : undefined
    },
  })
}

/** What the list or the order view has read already is there at once, and moves no button later. */
function knownOf(queryClient: QueryClient, tmk: string, id: string): NotedOrder | undefined {
  const listed = notedOrders.get().get(id)
  if (listed) return listed
  const read = queryClient.getQueryData<{ notes: NotedOrder['newest'][] }>([notesLine, tmk, id])
  const [newest] = read?.notes ?? []
  return newest && { id, count: read?.notes.length ?? 1, newest }
}
