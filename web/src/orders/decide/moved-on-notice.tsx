import { statusLabels } from '@cellarhand/contract/decisions'
import type { OrderAction } from '@cellarhand/contract/order-lifecycle'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { useState } from 'react'
import { Notice } from '#ui/notes/notice.tsx'
import { allowedActions } from '../state/allowed-actions.ts'
import type { Order } from '../state/queries.ts'

interface Props {
  order: Order
  action: OrderAction | readonly OrderAction[]
  /** How to continue, if that is still possible; null where another state that allows the step is no news. */
  still?: string | null
  /** While the dialog's own step may be what moved the order. */
  isSending?: boolean
}

/** For a clerk with an open dialog while somebody else decides: the order's new state, and whether the step works. */
export function MovedOnNotice({ order, action, still, isSending }: Props) {
  const [openedWith] = useState(order.status)
  const actions = allowedActions(order)
  const isPossible = [action].flat().some((each) => actions.has(each))
  if (isSending || (isPossible && (still === null || order.status === openedWith))) return null
  return (
    <Notice hue="amber" icon={IconUsers} live>
      This order is now: {statusLabels[order.status]}.{' '}
      {isPossible ? still : 'That is not possible here any more, and nothing was changed.'}
    </Notice>
  )
}
