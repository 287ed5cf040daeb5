import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'
import { newId } from '#lib/calls/new-id.ts'
import { sendOnce } from '#lib/calls/send-once.ts'

const line = 'GET /m/v2/merchant/{tmk}/picks'
const pickLine = 'POST /m/v2/merchant/{tmk}/orders/{id}/picks'

export type Picks = Reply<typeof line>
export type PickOrder = Picks['orders'][number]
export type PickLine = PickOrder['lines'][number]
export type PickAnswer = Reply<typeof pickLine>

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

interface Bottle {
  orderId: string
  lineId: string
  /** As scanned; without one the clerk confirms the bottle by hand. */
  code: string | undefined
}

/** Each bottle has a key of its own: a second try after a lost answer counts once, the next bottle counts again. */
export function pickBottle(tmk: string, { orderId, lineId, code }: Bottle): Promise<PickAnswer> {
  const body = { line_id: lineId, ...(code !== undefined && { code }) }
  return sendOnce(`pick ${newId()}`, (once) => call(pickLine, { params: { tmk, id: orderId }, body }, once))
}
