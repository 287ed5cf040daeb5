import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'
import { noMerchant, storedMerchantKey } from '#lib/kept/stored-session.ts'
import { learnShopZone, STANDARD_TIMEZONE } from '#lib/time/shop-day.ts'

export type Merchant = Reply<'GET /c/v2/merchants/{tmk}'>

export function merchantQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}', tmk],
    queryFn: async ({ signal }) =>
      learnShopZone(await call('GET /c/v2/merchants/{tmk}', { params: { tmk } }, { signal })),
    staleTime: 5 * 60_000,
    // After a sign-out the page waits for the next one, which takes long on a slow line, and asks for no shop meanwhile.
    enabled: tmk !== noMerchant,
  })
}

/** The merchant of this session, once it is known. */
function useMerchant(): Merchant | undefined {
  return useQuery(merchantQuery(storedMerchantKey() ?? noMerchant)).data
}

/** The zone of every date that the merchant sees (VIEW-034, GAP-64). */
export function useTimezone(): string {
  return useMerchant()?.timezone ?? STANDARD_TIMEZONE
}

/** False once the merchant is known to have no carrier account: no label can be bought then. */
export function useHasCarrier(): boolean {
  return useMerchant()?.carrier_integration !== null
}
