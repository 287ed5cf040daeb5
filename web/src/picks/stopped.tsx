import type { OrderStatus } from '@cellarhand/contract/order-statuses'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { Notice } from '#ui/notes/notice.tsx'
import type { PickOrder } from './queries.ts'
import type { Stop } from './walk.ts'

const putBack = 'Put its bottles back.'
const keep = 'Take no more bottles for it, and keep its tote.'
const why: Partial<Record<OrderStatus, string>> = {
  CANCELLED: `was cancelled. ${putBack}`,
  REFUNDED: `was refunded. ${putBack}`,
  MERCHANT_REJECTED: `was rejected. ${putBack}`,
  REJECTED_PARTIAL: `is on hold: a line was reported, and the marketplace has to answer. ${keep}`,
  PAYMENT_DECLINED: `is on hold: its payment was declined. ${keep}`,
  DISPUTED: `is on hold: its payment is disputed. ${keep}`,
}

interface Props {
  orders: readonly PickOrder[]
  walk: readonly Stop[]
  missingIds: readonly string[]
}

/** What changed since the clerk began. */
export function Stopped({ orders, walk, missingIds }: Props) {
  const words = [
    ...missingIds.map((id) => `There is no order #${id} in this shop.`),
    ...orders
      .filter((order) => !order.is_open)
      .map(({ id, status }) => `#${id} ${why[status] ?? 'has left the shop already.'}`),
    ...walk
      .filter(({ line }) => line.too_many > 0)
      .map(({ line, order }) => `Put ${line.too_many} of ${line.name} back: #${order.id} wants fewer now.`),
  ]
  return words.map((text) => (
    <Notice key={text} icon={IconAlertTriangle} hue="amber" live>
      {text}
    </Notice>
  ))
}
