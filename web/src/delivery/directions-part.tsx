import { isLocal } from '@cellarhand/contract/order-statuses'
import IconDeviceMobileMessage from '@tabler/icons-react/dist/esm/icons/IconDeviceMobileMessage.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import type { OrderPartProps } from '#orders/public.ts'
import { Fact } from '#ui/blocks/block.tsx'
import { Button, buttonClass } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { DialogScope } from '#ui/dialogs/late-note.tsx'
import { directionsUrl } from './directions.ts'
import styles from './delivery-parts.module.css'
import { PrintedDirections } from './printed-directions.tsx'

const SendDirectionsDialog = lazyPart(() => import('./send-directions-dialog.tsx'), 'SendDirectionsDialog')

/** The way to the door, on paper and for the driver's phone, for orders that the shop delivers itself. */
export function DirectionsPart({ order, isReadOnly }: OrderPartProps) {
  const [open, setOpen] = useState<'send' | 'print' | null>(null)
  const close = (): void => setOpen(null)
  if (!isLocal(order.delivery.method) || isReadOnly) return null
  return (
    <Fact name="Directions">
      <div className={styles.buttons}>
        <Button look="plain" size="small" onClick={() => setOpen('print')}>
          <IconPrinter size={16} aria-hidden /> Print Directions
        </Button>
        <Button look="plain" size="small" onClick={() => setOpen('send')}>
          <IconDeviceMobileMessage size={16} aria-hidden /> Send Directions to Phone
        </Button>
        <a
          className={buttonClass}
          data-look="plain"
          data-size="small"
          href={directionsUrl(order)}
          target="_blank"
          rel="noopener noreferrer"
        >
          <IconMapPin size={16} aria-hidden /> Open in Maps
        </a>
      </div>
      {open === 'send' && (
        // A text message changes no order, so it waits for no change.
        <DialogScope value={undefined}>
          <DialogPart title="Send Directions to Phone" onClose={close}>
            <SendDirectionsDialog order={order} onClose={close} />
          </DialogPart>
        </DialogScope>
      )}
      {open === 'print' && <PrintedDirections order={order} onDone={close} />}
    </Fact>
  )
}
