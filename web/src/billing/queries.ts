import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call, CallError } from '#lib/calls/call.ts'

export type Billing = Reply<'GET /c/v2/merchants/{tmk}/payments'>
export type Onboarding = Reply<'GET /v1/merchant/{tmk}/stripe'>

/** Whether the merchant has a payment account; a failure of the call means that there is none (BILL-019). */
export function paymentAccountQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/payments/stripe', tmk],
    queryFn: async ({ signal }): Promise<'there' | 'missing' | 'unknown'> => {
      try {
        await call('GET /c/v2/merchants/{tmk}/payments/stripe', { params: { tmk } }, { signal })
        return 'there'
      } catch (error) {
        // A missing answer, or a refused session, says nothing about payments.
        return error instanceof CallError && error.status !== 401 ? 'missing' : 'unknown'
      }
    },
    staleTime: 5 * 60_000,
  })
}

/** Its links work once and for minutes, so each look requests new ones. */
export function onboardingQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /v1/merchant/{tmk}/stripe', tmk],
    queryFn: ({ signal }) => call('GET /v1/merchant/{tmk}/stripe', { params: { tmk } }, { signal }),
    staleTime: 0,
    gcTime: 0,
    // Each asking is one of the provider, which an outage is no time for.
    retry: false,
    refetchOnWindowFocus: 'always',
  })
}

export function billingQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/payments', tmk],
    queryFn: ({ signal }) => call('GET /c/v2/merchants/{tmk}/payments', { params: { tmk } }, { signal }),
    // Bank details must leave memory soon after their page. The page takes over from the route meanwhile.
    staleTime: 10_000,
    gcTime: 10_000,
  })
}
