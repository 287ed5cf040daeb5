import { carriers } from '@cellarhand/contract/carriers'
import type { StepDialogProps } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { TrackingForm } from './tracking-form.tsx'

export function CorrectTrackingDialog({ order, onClose }: Pick<StepDialogProps, 'order' | 'onClose'>) {
  const carrier = carriers.find((known) => known === order.tracking_provider) ?? ''
  return (
    <TrackingForm
      title="Correct Tracking"
      order={order}
      initial={{
        tracking_provider: carrier,
        tracking_id: order.tracking_id ?? '',
        tracking_url: carrier === 'OTHER' ? (order.tracking_url ?? '') : '',
        other_tracking_provider: order.other_tracking_provider ?? '',
      }}
      send={(fields, ask) =>
        ask('PUT /m/v2/merchant/{tmk}/orders/{id}/tracking', {
          params: { tmk: merchantKey(), id: order.id },
          body: fields,
        })
      }
      onClose={onClose}
    />
  )
}
