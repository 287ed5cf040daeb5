import type { Carrier } from '@cellarhand/contract/carriers'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import styles from './carrier-logo.module.css'

/** FedEx and UPS have their own logos; every other carrier gets a parcel (SHIP-014). */
export function CarrierLogo({ carrier }: { carrier: Carrier }) {
  if (carrier === 'FedEx') {
    return (
      <span className={styles.fedex} aria-hidden>
        Fed<i>Ex</i>
      </span>
    )
  }
  if (carrier === 'UPS') {
    return (
      <span className={styles.ups} aria-hidden>
        ups
      </span>
    )
  }
  return <IconPackage size={22} stroke={1.5} aria-hidden />
}
