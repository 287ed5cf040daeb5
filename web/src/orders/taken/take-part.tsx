import { tabOf } from '@cellarhand/contract/order-statuses'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { dropRepeat, useEarly } from '#lib/parts/late-press.ts'
import { useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { useTold } from '#ui/notes/told.ts'
import { isMine } from '../state/list-view.ts'
import type { Order } from '../state/queries.ts'
import { sendTake } from './take-calls.ts'
import styles from './take-part.module.css'

/** Says which clerk has the open order and since when, takes it, lets it go, and asks before it takes over a colleague's. */
export function TakePart({ order, timezone }: { order: Order; timezone: string }) {
  const can = useCan()
  const queryClient = useQueryClient()
  // The question is about one clerk: another one who has it meanwhile ends it.
  const [asked, setAsked] = useState<string>()
  const { taken } = order
  const isAsking = taken !== undefined && asked === taken.by
  const isOwn = isMine(order)
  const isEarly = useEarly(`${taken?.by} ${isAsking}`)
  const isOver = ['completed', 'cancelled'].includes(tabOf(order.status, order.delivery.method))
  const send = useTold({
    action: `take ${order.id}`,
    attempt: (wish: { isLeft: boolean; over?: string }) => sendTake(queryClient, order, wish),
    failure: (error, { isLeft }) => [`#${order.id} was not ${isLeft ? 'let go' : 'taken'}`, reasonOf(error)],
    onSettled: () => setAsked(undefined),
  })
  const isMissing = !can('orders.fulfil') || isOver
  const act = (): void => {
    if (isEarly || send.isPending || isMissing) return
    if (taken && !isOwn) setAsked(taken.by)
    else send.mutate({ isLeft: isOwn })
  }
  useShortcuts({ m: act })
  if (isOver || (!taken && isMissing)) return null
  return (
    <div className={styles.part} role="group" aria-label="Who has it">
      {taken && (
        <span role="status">
          {isOwn ? 'You have it' : `${taken.name} has it`} since{' '}
          <Moment at={taken.since} timezone={timezone} />
          {isAsking && '. Take it over?'}
        </span>
      )}
      {isAsking && taken && !isMissing && (
        <span className={styles.buttons}>
          <Button
            size="small"
            ref={keepFocusNear}
            autoFocus
            aria-disabled={isEarly || send.isPending}
            isBusy={send.isPending}
            onClick={() => isEarly || send.mutate({ isLeft: false, over: taken.by })}
          >
            Take over
          </Button>
          <Button look="plain" size="small" ref={keepFocusNear} onClick={() => setAsked(undefined)}>
            Leave it
          </Button>
        </span>
      )}
      {!isAsking && !isMissing && (
        <Button
          look="plain"
          size="small"
          aria-disabled={isEarly || send.isPending}
          isBusy={send.isPending}
          onClick={act}
          onKeyDown={dropRepeat}
        >
          {taken ? (isOwn ? 'Let go' : 'Take over') : 'I take it'} <kbd aria-hidden>m</kbd>
        </Button>
      )}
    </div>
  )
}
