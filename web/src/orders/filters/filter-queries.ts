import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import type { ListView } from '../state/list-view.ts'
import { toFilterQuery } from '../state/list-view.ts'
import type { Facets } from '../state/queries.ts'
import { listLine } from '../state/queries.ts'

const line = 'GET /m/v2/merchant/{tmk}/orders/filters'

/** The applications and methods of all the merchant's orders, not of the shown ones alone (API-028). */
export function filterNamesQuery(tmk: string) {
  return queryOptions({
    queryKey: [line, tmk],
    queryFn: ({ signal }) => call(line, { params: { tmk } }, { signal }),
    staleTime: 60_000,
  })
}

/** How many orders each filter would leave; requested when a filter opens, because orders move on meanwhile. */
export function facetsQuery(tmk: string, view: ListView) {
  return queryOptions({
    queryKey: [listLine, 'filters', tmk, view],
    queryFn: async ({ signal }): Promise<Facets> => {
      const query = { limit: 1, offset: 0, ...toFilterQuery({ ...view, sort: undefined }) }
      return (await call(listLine, { params: { tmk }, query }, { signal })).filters.available
    },
    staleTime: 5_000,
  })
}
