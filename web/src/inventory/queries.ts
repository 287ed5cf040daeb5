import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import type { OfferingRow } from './offering-rows.ts'
import { rowsOf } from './offering-rows.ts'

const line = 'GET /c/v2/merchants/{tmk}/offerings'

export interface Stock {
  rows: OfferingRow[]
  receivedAtMs: number
}

/** Requested each time the page opens; another filter or a refresh drops the rows and their time (STATE-010). */
export function stockQuery(tmk: string, isSellingOnly: boolean) {
  return queryOptions({
    queryKey: [line, tmk, isSellingOnly],
    queryFn: async ({ signal }): Promise<Stock> => {
      const query = isSellingOnly ? ({ 'filter[selling_with_thirstie]': 'true' } as const) : {}
      const { items } = await call(line, { params: { tmk }, query }, { signal })
      return { rows: rowsOf(items), receivedAtMs: Date.now() }
    },
    gcTime: 0,
    structuralSharing: false,
  })
}
