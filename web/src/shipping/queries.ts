import { queryOptions } from '@tanstack/react-query'
import { call, CallError, type Reply } from '#lib/calls/call.ts'

export type Label = Reply<'GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels'>[number]
export type CarrierAccount = Reply<'GET /c/v2/merchants/{tmk}/carrier_integration'>

/** `version` makes a new query after each change of the order. */
export function labelsQuery(tmk: string, { id, version }: { id: string; version: number }) {
  return queryOptions({
    queryKey: ['GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', tmk, id, version],
    queryFn: ({ signal }) =>
      call('GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', { params: { tmk, id } }, { signal }),
  })
}

/** Null while no account is connected. */
export function carrierAccountQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/carrier_integration', tmk],
    queryFn: async ({ signal }): Promise<CarrierAccount | null> => {
      try {
        return await call('GET /c/v2/merchants/{tmk}/carrier_integration', { params: { tmk } }, { signal })
      } catch (error) {
        if (error instanceof CallError && error.status === 404) return null
        throw error
      }
    },
  })
}
