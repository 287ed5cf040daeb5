import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { merchantKey } from '#sign-in/public.ts'
import { allowedActions, orderQuery, ReportPart, StepDialog } from '#orders/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogPart } from '#ui/dialogs/dialog.tsx'
import styles from './pick-page.module.css'
import type { Stop } from './walk.ts'

interface Props {
  stop: Stop
  onClose: () => void
}

/** The dialog Out of Stock of the line. Of an accepted order only the whole can be rejected, so this one says so. */
export function NotEnough({ stop, onClose }: Props) {
  const queryClient = useQueryClient()
  const { data: order } = useQuery(orderQuery(stop.order.id))
  const [isRejecting, setRejecting] = useState(false)
  const close = (): void => {
    void queryClient.invalidateQueries({ queryKey: ['GET /m/v2/merchant/{tmk}/picks', merchantKey()] })
    onClose()
  }
  const item = order?.items.find(({ id }) => id === stop.line.id)
  if (order && isRejecting)
    return <StepDialog open={{ step: 'reject', order }} onChange={(open) => open === null && close()} />
  if (order && item && allowedActions(order).has('report_items'))
    return (
      <DialogPart title="Out of Stock" onClose={close}>
        <ReportPart kind="outOfStock" order={order} item={item} stays onClose={close} />
      </DialogPart>
    )
  return (
    <Dialog title="Not enough here" onClose={close}>
      <p>
        {order
          ? `#${stop.order.id} is accepted, so a single line cannot be reported any more. Ask a colleague for more of this bottle, or reject the whole order.`
          : 'Loading the order.'}
      </p>
      <div className={styles.buttons}>
        <Button onClick={close}>Go on picking</Button>
        {order && allowedActions(order).has('reject') && (
          <Button look="plain" onClick={() => setRejecting(true)}>
            Reject the order
          </Button>
        )}
      </div>
    </Dialog>
  )
}
