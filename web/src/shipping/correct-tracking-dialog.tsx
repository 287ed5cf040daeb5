import { carriers } from '@cellarhand/contract/carriers'
import type { StepDialogProps } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { TrackingForm } from './tracking-form.tsx'

interface Props extends Pick<StepDialogProps, 'order' | 'onClose'> {
  /** The parcel came back and leaves under another number. */
  isSentAgain: boolean
}

export function CorrectTrackingDialog({ order, isSentAgain, onClose }: Props) {
  const carrier = carriers.find((known) => known === order.tracking_provider) ?? ''
  return (
    <TrackingForm
      title={isSentAgain ? 'Sent Again' : 'Correct Tracking'}
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
          body: fields,
        })
      }
      onClose={onClose}
    />
  )
}
