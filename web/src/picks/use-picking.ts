import { useQueryClient } from '@tanstack/react-query'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { listenForScans } from '#lib/keys/scanner.ts'
import { merchantKey } from '#sign-in/public.ts'
import type { Outcome } from './pick-result.tsx'
import type { PickOrder } from './queries.ts'
import { pickBottle, picksQuery } from './queries.ts'
import { sound } from './tones.ts'
import type { Stop } from './walk.ts'
import { isDone, stopAt, walkOf } from './walk.ts'

/** Sends one bottle after the other: a scan belongs to the line that the bottle before has left open. */
export function usePicking(ids: string, orders: readonly PickOrder[]) {
  const queryClient = useQueryClient()
  const options = picksQuery(merchantKey(), ids)
  const [chosen, setChosen] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const waiting = useRef<Promise<void>>(Promise.resolve())
  const walk = walkOf(orders)

  const known = (): Stop[] => walkOf(queryClient.getQueryData(options.queryKey)?.orders ?? orders)
  const keep = async (order: PickOrder): Promise<void> => {
    // An older answer on its way would show a count that is no more.
    await queryClient.cancelQueries({ queryKey: options.queryKey })
    queryClient.setQueryData(
      options.queryKey,
      (before) => before && { orders: before.orders.map((each) => (each.id === order.id ? order : each)) },
    )
  }
  const send = useEffectEvent(async (code: string | undefined): Promise<void> => {
    const stop = stopAt(known(), chosen)
    if (stop === undefined) return void sound('wrong')
    try {
      const answer = await pickBottle(merchantKey(), { orderId: stop.order.id, lineId: stop.line.id, code })
      await keep(answer.order)
      const neededAt = known().find(
        (other) =>
          other.order.is_open && !isDone(other) && other.line.offering_id === answer.scanned?.offering_id,
      )
      setOutcome({ kind: 'answered', answer, stop, isByHand: code === undefined, neededAt })
      void sound(answer.result === 'right' ? 'right' : 'wrong')
    } catch (error) {
      setOutcome({
        kind: 'failed',
        words: reasonOf(error) ?? 'The server did not answer. Scan the bottle again.',
      })
      void sound('wrong')
    }
  })
  const take = (code: string | undefined): void => {
    waiting.current = waiting.current.then(() => send(code))
  }
  const scan = useEffectEvent((code: string) => take(code))
  // Before the page is painted: who sees it may scan.
  useLayoutEffect(() => listenForScans((code) => scan(code)), [])
  return {
    walk,
    current: stopAt(walk, chosen),
    outcome,
    take,
    choose(key: string): void {
      setChosen(key)
      setOutcome(null)
    },
  }
}
