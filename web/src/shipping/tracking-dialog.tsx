import type { StepDialogProps } from '#orders/public.ts'
import { TrackingForm } from './tracking-form.tsx'

const empty = {
  tracking_provider: '',
  tracking_id: '',
  tracking_url: '',
  other_tracking_provider: '',
} as const

export function TrackingDialog({ order, onClose }: StepDialogProps) {
  return (
    <TrackingForm
      title="Tracking Information"
      action="save_tracking"
      order={order}
      initial={empty}
      send={(fields, ask) =>
        ask('PUT /m/v2/orders/{id}', {
          params: { id: order.id },
          body: { id: order.id, status: 'MERCHANT_SHIPPED', order: fields },
        })
      }
      onClose={onClose}
    />
  )
}
