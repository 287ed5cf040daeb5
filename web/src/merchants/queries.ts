import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'
import { storedMerchantKey } from '#lib/kept/stored-session.ts'

export type Merchant = Reply<'GET /c/v2/merchants/{tmk}'>

export function merchantQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}', tmk],
    queryFn: ({ signal }) => call('GET /c/v2/merchants/{tmk}', { params: { tmk } }, { signal }),
    staleTime: 5 * 60_000,
  })
}

const STANDARD_TIMEZONE = 'America/New_York'

/** The zone of every date that the merchant sees (VIEW-034, GAP-64). */
export function useTimezone(): string {
  return useQuery(merchantQuery(storedMerchantKey() ?? 'none')).data?.timezone ?? STANDARD_TIMEZONE
}
