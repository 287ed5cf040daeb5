import { queryOptions } from '@tanstack/react-query'
import { call, CallError } from '#lib/call.ts'

/** Whether the payment provider has an account of the merchant; unknown when nobody can tell. */
export function paymentAccountQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/payments/stripe', tmk],
    queryFn: async ({ signal }): Promise<'there' | 'missing' | 'unknown'> => {
      try {
        await call('GET /c/v2/merchants/{tmk}/payments/stripe', { params: { tmk } }, { signal })
        return 'there'
      } catch (error) {
        return error instanceof CallError && error.status === 404 ? 'missing' : 'unknown'
      }
    },
    staleTime: 5 * 60_000,
  })
}
