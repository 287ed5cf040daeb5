import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'

const shopLine = 'GET /m/v2/merchant/{tmk}/duties'
const couriersLine = 'GET /m/v2/merchant/{tmk}/courier_checks'
const filesLine = 'GET /m/v2/merchant/{tmk}/inspector_files'

export type ShopDuties = Reply<typeof shopLine>
export type ShopRule = ShopDuties['rules'][number]

/** The shop's rules, and what its owners have decided about each. */
export function shopDutiesQuery(tmk: string) {
  return queryOptions({
    queryKey: [shopLine, tmk],
    queryFn: ({ signal }) => call(shopLine, { params: { tmk } }, { signal }),
  })
}

/** One decision after the other: each answer holds all rules, and an older one would take a decision back. */
export const decisions = (tmk: string) => ({ scope: { id: `duties of ${tmk}` } })

export async function keepDecisions(queryClient: QueryClient, tmk: string, saved: ShopDuties): Promise<void> {
  const { queryKey } = shopDutiesQuery(tmk)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, saved)
}

export type CourierCheck = Reply<typeof couriersLine>['services'][number]

export function courierChecksQuery(tmk: string) {
  return queryOptions({
    queryKey: [couriersLine, tmk],
    queryFn: ({ signal }) => call(couriersLine, { params: { tmk } }, { signal }),
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
