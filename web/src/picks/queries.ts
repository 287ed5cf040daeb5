import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'
import { sendOnce, unansweredKey } from '#lib/calls/send-once.ts'

const line = 'GET /m/v2/merchant/{tmk}/picks'
const pickLine = 'POST /m/v2/merchant/{tmk}/orders/{id}/picks'

export type Picks = Reply<typeof line>
export type PickOrder = Picks['orders'][number]
export type PickLine = PickOrder['lines'][number]
export type PickAnswer = Reply<typeof pickLine>

const offSaleLine = 'POST /m/v2/merchant/{tmk}/orders/{id}/off_sale'

/** A colleague may pick the same orders. */
const AGAIN_MS = 4_000

export function picksQuery(tmk: string, orders: string) {
  return queryOptions({
    queryKey: [line, tmk, orders],
    queryFn: ({ signal }): Promise<Picks> => call(line, { params: { tmk }, query: { orders } }, { signal }),
    refetchInterval: AGAIN_MS,
    staleTime: 0,
  })
}

/**
 * Gives a wave the orders that the device has, though each may come from a list of its own. They are as old as the
 * oldest of them. If one is missing, the wave has none.
 */
export function showKeptPicks(queryClient: QueryClient, tmk: string, orders: string): void {
  const newest = queryClient
    .getQueryCache()
    .findAll({ queryKey: [line, tmk] })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const ids = orders.split(',')
  const found = ids.flatMap((id) => {
    const list = newest.find(({ state }) => ordersIn(state.data).some((order) => order.id === id))
    const order = ordersIn(list?.state.data).find((each) => each.id === id)
    return list && order ? [{ order, at: list.state.dataUpdatedAt }] : []
  })
  if (found.length < ids.length) return
  const updatedAt = Math.min(...found.map(({ at }) => at))
  const kept = { orders: found.map(({ order }) => order) }
  queryClient.setQueryData(picksQuery(tmk, orders).queryKey, kept, { updatedAt })
}

function ordersIn(data: unknown): readonly PickOrder[] {
  return (data as Picks | undefined)?.orders ?? []
}

/** Shows an order as an answer has it, which may be a repeated one. An older list on its way would take it back. */
export async function keepOrder(queryClient: QueryClient, tmk: string, order: PickOrder): Promise<void> {
  const lists = { queryKey: [line, tmk] }
  await queryClient.cancelQueries(lists)
  queryClient.setQueriesData<Picks>(
    lists,
    (before) =>
      before && {
        orders: before.orders.map((each) =>
          each.id === order.id && each.version <= order.version ? order : each,
        ),
      },
  )
}

interface Bottle {
  orderId: string
  lineId: string
  /** As scanned; without one the clerk confirms the bottle by hand. */
  code: string | undefined
  /** The bottle's own name: all tries for it count once, the next bottle counts again. */
  pick: string
}

interface Waiting {
  /** The page has been left: its next visit shows what the server counted. */
  signal: AbortSignal
  /** Called once, when it is not known in time whether the bottle counts. */
  onDoubt: () => void
}

/** A clerk who hears nothing for longer scans the same bottle again. */
const DOUBT_MS = 2_000
const PAUSE_MS = 2_000

/** Sends the same bottle again until the server has said whether it counts. Undefined when the page was left before. */
export async function pickUntilAnswered(
  tmk: string,
  bottle: Bottle,
  { signal, onDoubt }: Waiting,
): Promise<PickAnswer | undefined> {
  let isInDoubt = false
  const doubt = (): void => {
    if (!isInDoubt && !signal.aborted) onDoubt()
    isInDoubt = true
  }
  const timer = setTimeout(doubt, DOUBT_MS)
  try {
    while (!signal.aborted) {
      const answer = await tryPick(tmk, bottle)
      if (answer) return answer
      doubt()
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined when nobody knows whether the server counted it. */
async function tryPick(
  tmk: string,
  { orderId: id, lineId, code, pick }: Bottle,
): Promise<PickAnswer | undefined> {
  const body = { line_id: lineId, ...(code !== undefined && { code }) }
  try {
    return await sendOnce(pick, (once) => call(pickLine, { params: { tmk, id }, body }, once))
  } catch (error) {
    if (unansweredKey(pick) === undefined) throw error
    return undefined
  }
}

/**
 * Takes a line's bottle off sale, until the next stock list that has it. All tries of one `press` count once; after that
 * stock list, a new one counts again.
 */
export function takeOffSale(
  tmk: string,
  { orderId: id, lineId, press }: Pick<Bottle, 'orderId' | 'lineId'> & { press: string },
): Promise<PickOrder> {
  const wish = { params: { tmk, id }, body: { line_id: lineId } }
  return sendOnce(press, (once) => call(offSaleLine, wish, once))
}
