import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'

const line = 'GET /m/v2/merchant/{tmk}/orders/filters'

/** The applications and methods of all the merchant's orders, whatever the list shows just now (API-028). */
export function filterNamesQuery(tmk: string) {
  return queryOptions({
    queryKey: [line, tmk],
    queryFn: ({ signal }) => call(line, { params: { tmk } }, { signal }),
    staleTime: 60_000,
  })
}
