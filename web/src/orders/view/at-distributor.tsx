import IconBuildingWarehouse from '@tabler/icons-react/dist/esm/icons/IconBuildingWarehouse.mjs'
import { useQuery } from '@tanstack/react-query'
import { offeringQuery } from '../state/queries.ts'
import styles from './order-products.module.css'

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
