import IconBuildingWarehouse from '@tabler/icons-react/dist/esm/icons/IconBuildingWarehouse.mjs'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { painted } from '#lib/parts/after-paint.ts'
import styles from './order-products.module.css'

const line = 'GET /c/v2/offerings'

/** Where a line's offering is stored; a delivery changes that, an order does not. */
function offeringQuery(id: string) {
  return queryOptions({
    queryKey: [line, id],
    queryFn: async ({ signal }) => {
      await painted()
      const query = { 'filter[id]': id, limit: 1 }
      return (await call(line, { query }, { signal })).items[0]?.stock_behavior ?? null
    },
    staleTime: 10 * 60_000,
  })
}

/** Shows that a bottle is at its distributor and not in the shop (VIEW-018, VIEW-019). */
export function AtDistributor({ offeringId }: { offeringId: string }) {
  const { data: stockBehavior } = useQuery(offeringQuery(offeringId))
  if (stockBehavior !== 'NextDay') return null
  return (
    <span className={styles.distributor} title="This bottle is at the distributor and takes a day to get">
      <IconBuildingWarehouse size={15} role="img" aria-label="At distributor" /> At distributor
    </span>
  )
}
