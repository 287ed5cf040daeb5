import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'
import type { Order } from '#orders/public.ts'

const orderLine = 'GET /m/v2/merchant/{tmk}/orders/{id}/duties'
const shopLine = 'GET /m/v2/merchant/{tmk}/duties'
const filesLine = 'GET /m/v2/merchant/{tmk}/inspector_files'

/** What the rules ask of the order now; a change of the order asks again. */
export function orderDutiesQuery(tmk: string, { id, version }: Pick<Order, 'id' | 'version'>) {
  return queryOptions({
    queryKey: [orderLine, tmk, id, version],
    queryFn: ({ signal }) => call(orderLine, { params: { tmk, id } }, { signal }),
    placeholderData: (before) => before,
  })
}

export type ShopRule = Reply<typeof shopLine>['rules'][number]

/** The shop's rules, and what its owners have decided about each. */
export function shopDutiesQuery(tmk: string) {
  return queryOptions({
    queryKey: [shopLine, tmk],
    queryFn: ({ signal }) => call(shopLine, { params: { tmk } }, { signal }),
  })
}

export type InspectorFile = Reply<typeof filesLine>['files'][number]

const soonMs = 1_000
/** Well within the hour for which a file's link works. */
const laterMs = 600_000

export function inspectorFilesQuery(tmk: string) {
  return queryOptions({
    queryKey: [filesLine, tmk],
    queryFn: ({ signal }) => call(filesLine, { params: { tmk } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.files.some((file) => !file.is_finished) ? soonMs : laterMs),
  })
}
