import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { Notice } from '#ui/notes/notice.tsx'
import type { PickOrder } from './queries.ts'
import { stoppedWords } from './stopped-words.ts'
import type { Stop } from './walk.ts'

interface Props {
  orders: readonly PickOrder[]
  walk: readonly Stop[]
  missingIds: readonly string[]
}

/** What changed since the clerk began. */
export function Stopped({ orders, walk, missingIds }: Props) {
  const words = [
    ...missingIds.map((id) => `There is no order #${id} in this shop.`),
    ...orders.filter((order) => !order.is_open).map(stoppedWords),
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
