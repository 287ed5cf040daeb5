import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call, CallError } from '#lib/calls/call.ts'

export type Billing = Reply<'GET /c/v2/merchants/{tmk}/payments'>
export type Onboarding = Reply<'GET /v1/merchant/{tmk}/stripe'>

/** Whether the merchant's payments call says that there is an account; its failure means that there is none (BILL-019). */
export function paymentAccountQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/payments/stripe', tmk],
    queryFn: async ({ signal }): Promise<'there' | 'missing' | 'unknown'> => {
      try {
        await call('GET /c/v2/merchants/{tmk}/payments/stripe', { params: { tmk } }, { signal })
        return 'there'
      } catch (error) {
        // No answer at all, or none to this session, says nothing about payments.
        return error instanceof CallError && error.status !== 401 ? 'missing' : 'unknown'
      }
    },
    staleTime: 5 * 60_000,
  })
}

/** Links in it work once and for minutes, so it is asked for whenever somebody looks. */
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
    // Bank details do not lie about in memory once their page is left.
    staleTime: 0,
    gcTime: 0,
  })
}
