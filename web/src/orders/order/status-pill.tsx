import { displayGroupLabels, tabLabels } from '@cellarhand/contract/labels'
import { needsLook } from '@cellarhand/contract/needs-look'
import type { DisplayGroup } from '@cellarhand/contract/order-statuses'
import { displayGroupOf, tabOf } from '@cellarhand/contract/order-statuses'
import type { Icon } from '@tabler/icons-react'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPointFilled from '@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import IconTruckDelivery from '@tabler/icons-react/dist/esm/icons/IconTruckDelivery.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { Hue } from '#ui/blocks/pill.tsx'
import { Pill } from '#ui/blocks/pill.tsx'
import type { Order } from '@cellarhand/contract/orders'
import styles from './status-pill.module.css'
import { statusNote } from './status-note.ts'
import { useUnconfirmed } from './unconfirmed.ts'

const looks: Record<DisplayGroup, { hue: Hue; icon: Icon }> = {
  new: { hue: 'blue', icon: IconPointFilled },
  printed: { hue: 'indigo', icon: IconPrinter },
  accepted: { hue: 'teal', icon: IconCheck },
  shipped: { hue: 'violet', icon: IconTruckDelivery },
  completed: { hue: 'sage', icon: IconCircleCheck },
  rejected: { hue: 'red', icon: IconX },
}

/** An order on hold has no display group, and "Rejected" would wrongly say that it is lost (STATE-007). */
export function StatusPill({ order }: { order: Order }) {
  const isOnHold = tabOf(order.status, order.delivery.method) === 'on_hold'
  const unconfirmed = useUnconfirmed(order)
  const isUnconfirmed = unconfirmed !== undefined && !isOnHold
  const group = displayGroupOf(order.status, order.printed_timestamp)
  const pill = isOnHold ? (
    <Pill hue="amber" icon={IconPlayerPause}>
      {tabLabels.on_hold}
    </Pill>
  ) : (
    <Pill {...looks[group]}>{displayGroupLabels[group]}</Pill>
  )
  const isLook = needsLook(order)
  const note = isUnconfirmed ? unconfirmed : statusNote(order)
  if (!note) return pill
  return (
    <span
      className={styles.noted}
      data-unconfirmed={isUnconfirmed || undefined}
      data-look={isLook || undefined}
    >
      {pill} <small>{note}</small>
    </span>
  )
}
