import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { orderDutiesLine } from './order-duties-query.ts'

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

/** Each answer holds all rules, and that of an earlier decision may come last, so the rules are asked for again. */
export async function keepDecisions(queryClient: QueryClient, tmk: string, saved: ShopDuties): Promise<void> {
  await keepSaved(queryClient, shopDutiesQuery(tmk), saved)
  void queryClient.invalidateQueries(shopDutiesQuery(tmk))
  // An order's version stays where only the words about a rule change.
  void queryClient.invalidateQueries({ queryKey: [orderDutiesLine, tmk] })
}

/** Each decision about one rule takes back the failure of an earlier one. */
export function ruleAction(rule: string): string {
  return `rule ${rule}`
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
