import { useQueryClient } from '@tanstack/react-query'
import { useEffectEvent } from 'react'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { dropRepeat, useEarly } from '#lib/parts/late-press.ts'
import { useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { tellFailure, toast } from '#ui/notes/toasts.tsx'
import { useTold } from '#ui/notes/told.ts'
import { askListsAgain } from '../state/ask-lists-again.ts'
import type { Selected } from '../state/selection.ts'
import { sendTakeMany } from './take-calls.ts'

/** Takes the selected orders, or lets them go where all of them are the clerk's own. Those of colleagues stay theirs. */
export function TakeMany({
  selected,
  shortcut,
}: {
  selected: readonly Selected[]
  shortcut: string | undefined
}) {
  const can = useCan()
  const queryClient = useQueryClient()
  const isLeft = selected.every(({ isMine }) => isMine)
  const send = useTold({
    action,
    attempt: (wish: { orders: readonly Selected[]; isLeft: boolean }) =>
      sendTakeMany(wish.orders, wish.isLeft),
    onSuccess: ({ done, refused }, wish) => {
      const words = wish.isLeft ? `Let go of ${ordersOf(done)}` : `You have ${ordersOf(done)}`
      if (refused.length === 0) toast('success', words)
      else tellFailure(action, `${words}, ${refused.length} not taken`, reasonsOf(refused))
    },
    failure: (error, wish) => [`Not all were ${wish.isLeft ? 'let go' : 'taken'}`, reasonOf(error)],
    onSettled: () => askListsAgain(queryClient),
  })
  const isEarly = useEarly(isLeft)
  const press = useEffectEvent(() => {
    if (can('orders.fulfil') && !isEarly && !send.isPending) send.mutate({ orders: selected, isLeft })
  })
  useShortcuts(shortcut === undefined ? {} : { [shortcut]: () => press() })
  if (!can('orders.fulfil')) return null
  return (
    <Button
      look="plain"
      data-action
      aria-disabled={isEarly || send.isPending}
      isBusy={send.isPending}
      onClick={() => press()}
      onKeyDown={dropRepeat}
    >
      {isLeft ? 'Let go' : 'I take them'} {shortcut && <kbd aria-hidden>{shortcut}</kbd>}
    </Button>
  )
}

const action = 'take many'

function ordersOf(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`
}

const namedAtMost = 3

/** "Ada Marsh has this order already. (#1000012, #1000013 and 4 more)" */
function reasonsOf(refused: readonly { id: string; message: string }[]): string {
  const byReason = Map.groupBy(refused, ({ message }) => message)
  return [...byReason]
    .map(([message, orders]) => {
      const named = orders.slice(0, namedAtMost).map(({ id }) => `#${id}`)
      const more = orders.length > namedAtMost ? ` and ${orders.length - namedAtMost} more` : ''
      return `${message} (${named.join(', ')}${more})`
    })
    .join(' ')
}
