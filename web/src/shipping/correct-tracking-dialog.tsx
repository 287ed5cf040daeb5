import { carriers } from '@cellarhand/contract/carriers'
import { useState } from 'react'
import type { StepDialogProps } from '#orders/public.ts'
import { asSeen } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { TrackingForm } from './tracking-form.tsx'

/** For a parcel that came back, the number under which it leaves again. */
export function CorrectTrackingDialog({ order, onClose }: Pick<StepDialogProps, 'order' | 'onClose'>) {
  // A colleague's note since then makes another thing of the number.
  const [seen] = useState(order)
  const isSentAgain = seen.came_back !== undefined
  const carrier = carriers.find((known) => known === order.tracking_provider) ?? ''
  return (
    <TrackingForm
      title={isSentAgain ? 'Sent Again' : 'Correct Tracking'}
      action="correct_tracking"
      order={order}
      initial={{
        tracking_provider: carrier,
        tracking_id: isSentAgain ? '' : (order.tracking_id ?? ''),
        tracking_url: carrier === 'OTHER' && !isSentAgain ? (order.tracking_url ?? '') : '',
        other_tracking_provider: order.other_tracking_provider ?? '',
      }}
      send={(fields, ask) =>
        ask('PUT /m/v2/merchant/{tmk}/orders/{id}/tracking', {
          params: { tmk: merchantKey(), id: order.id },
          body: { ...fields, ...asSeen(seen) },
        })
      }
      onClose={onClose}
    />
  )
}
