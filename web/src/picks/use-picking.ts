import { useQueryClient } from '@tanstack/react-query'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { newId } from '#lib/calls/new-id.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { listenForScans } from '#lib/keys/scanner.ts'
import { merchantKey } from '#sign-in/public.ts'
import type { Outcome } from './pick-result.tsx'
import { keepOrder, pickUntilAnswered, picksQuery, type PickAnswer, type PickOrder } from './queries.ts'
import { sound } from './tones.ts'
import type { Stop } from './walk.ts'
import { isDone, stopAt, walkOf } from './walk.ts'

/** A code as scanned, or the line whose bottle the clerk confirms by hand. */
type Taken = { code: string } | { byHand: Stop }

/** Sends one bottle after the other: a scan belongs to the line that the bottle before has left open. */
export function usePicking(ids: string, orders: readonly PickOrder[]) {
  const queryClient = useQueryClient()
  const options = picksQuery(merchantKey(), ids)
  const [chosen, setChosen] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const waiting = useRef<Promise<void>>(Promise.resolve())
  /** Counts the bottles in doubt. Bottles that were taken before the last doubt, and not sent, are not sent any more. */
  const doubts = useRef({ count: 0, isOpen: false })
  const left = useRef(new AbortController())
  const walk = walkOf(orders)

  const known = (): Stop[] => walkOf(queryClient.getQueryData(options.queryKey)?.orders ?? orders)
  const show = async (answer: PickAnswer, stop: Stop, isByHand: boolean): Promise<void> => {
    await keepOrder(queryClient, merchantKey(), answer.order)
    const neededAt = known().find(
      (other) =>
        other.order.is_open && !isDone(other) && other.line.offering_id === answer.scanned?.offering_id,
    )
    setOutcome({ kind: 'answered', answer, stop, isByHand, neededAt })
    void sound(answer.result === 'right' ? 'right' : 'wrong')
  }
  const doubt = (stop: Stop): void => {
    doubts.current = { count: doubts.current.count + 1, isOpen: true }
    setOutcome({ kind: 'undecided', stop })
    void sound('wrong')
  }
  const send = useEffectEvent(async (taken: Taken): Promise<void> => {
    const stop = 'byHand' in taken ? taken.byHand : stopAt(known(), chosen)
    if (stop === undefined) return void sound('wrong')
    const code = 'code' in taken ? taken.code : undefined
    const bottle = { orderId: stop.order.id, lineId: stop.line.id, code, pick: newId() }
    const { signal } = left.current
    try {
      const answer = await pickUntilAnswered(merchantKey(), bottle, { signal, onDoubt: () => doubt(stop) })
      if (answer) await show(answer, stop, code === undefined)
    } catch (error) {
      setOutcome({
        kind: 'failed',
        words: reasonOf(error) ?? 'The server refused it. Scan the bottle again.',
      })
      void sound('wrong')
    }
    if (!doubts.current.isOpen) return
    doubts.current.isOpen = false
    // A repeated answer has the counts of the first one.
    void queryClient.invalidateQueries({ queryKey: options.queryKey })
  })
  const take = (taken: Taken): void => {
    const { count, isOpen } = doubts.current
    if (isOpen) return void sound('wrong')
    waiting.current = waiting.current.then(() => (count === doubts.current.count ? send(taken) : undefined))
  }
  const scan = useEffectEvent((code: string) => take({ code }))
  // Before the page is painted: a clerk who sees it may scan.
  useLayoutEffect(() => listenForScans((code) => scan(code)), [])
  useLayoutEffect(() => {
    left.current = new AbortController()
    return () => left.current.abort()
  }, [])
  return {
    walk,
    current: stopAt(walk, chosen),
    outcome,
    take,
    choose(key: string): void {
      setChosen(key)
      setOutcome((before) => (before?.kind === 'undecided' ? before : null))
    },
  }
}
