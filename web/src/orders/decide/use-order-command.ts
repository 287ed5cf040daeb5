import { messages } from '@cellarhand/contract/messages'
import type { TransitionRefusal } from '@cellarhand/contract/orders'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { track } from '#lib/reports/analytics.ts'
import { afterPaint } from '#lib/parts/after-paint.ts'
import { CallError, callWith, UnreachableError, type Input, type Line, type Reply } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { sendOnce, type Once } from '#lib/calls/send-once.ts'
import { preferences } from '#lib/kept/preferences.ts'
import { sessionNumber } from '#lib/kept/stored-session.ts'
import { takeBackFailure, tellFailure, toast, toastWithAction } from '#ui/notes/toasts.tsx'
import { goOn } from '../next/go-on.ts'
import type { Decided } from '../offline/decision-queue.ts'
import { keeper, WaitsHere } from '../offline/keeper.ts'
import { isByRule, refusalWords } from '../order/first-words.ts'
import { changeScope } from '../state/changes-answered.ts'
import { findListed, replaceOrder } from '../state/order-cache.ts'
import { paintAhead } from '../state/paint-ahead.ts'
import type { Order } from '../state/queries.ts'
import { orderQuery } from '../state/queries.ts'
import { seenVersion } from '../state/seen-version.ts'
import { markWhenLate } from '../order/unconfirmed.ts'

/** One call of a command: with the command's key, and within what is left of its time. */
export type Ask = <L extends Line>(line: L, input: Input<L>) => Promise<Reply<L>>

interface Command<B> {
  /** What analytics calls it; which order it was is not said. */
  event: string
  order: Order
  send: (body: B, ask: Ask) => Promise<Order>
  /** The server takes no key for this call, so it is not repeated automatically. */
  isKeyless?: true
  /** A function of the changed order, if the words depend on it. */
  success?: string | ((changed: Order) => string)
  failure?: string
  /** After it the clerk may want the next decision in place of the order. */
  isDecision?: true
  /** A decision that waits on the device while there is no line. */
  decision?: Decided
  /**
   * Closes the dialog; receives the order unless the step was refused. After `'stay'` the clerk stays on the page,
   * because there is more to do.
   */
  onDone: (changed?: Order) => void | 'stay'
  /** The probable result: shown at once, and taken back if the server refuses. */
  expected?: (order: Order) => Order
  /** Keeps the dialog, with all typed text, for the second clerk. Returns `'leave'` where its step is over. */
  onOvertaken?: (current: Order) => void | 'leave'
  /** Shows a refusal at the form's fields. False if it has none of those that the server named: then a toast says it. */
  showRefusal?: (error: CallError) => boolean
  /** Returns the dialog's words for the error. They show in the dialog, or in a toast once it is closed. */
  onFailure?: (error: Error) => string | undefined
}

/** The change that the screen shows before the server's answer. */
interface Ahead {
  /** False if there was nothing left to take back. */
  takeBack: () => boolean
  unmark: () => void
}

const notConfirmed = 'Not confirmed. The server did not answer in time, so this may or may not be done.'
const safeToRepeat = `${notConfirmed} Trying again never does it twice.`
const unsafeToRepeat = `${notConfirmed} Check the order before you try again.`

/**
 * One change of an order's status. The reply replaces the order everywhere, and the clerk goes to it (ROUTE-016). If
 * somebody was faster, the refusal shows the decision and its author. Field errors stay with the form. A clerk who
 * closed the dialog before the answer is busy elsewhere: a toast tells the result, and the page stays. Without an
 * answer in time the result is unknown: the dialog says so, and the clerk can send the same request again.
 */
export function useOrderCommand<B>(
  command: Command<B>,
): UseMutationResult<Order, Error, B, Ahead | undefined> {
  const {
    event,
    order,
    send,
    isKeyless = false,
    decision,
    isDecision = decision !== undefined,
    success,
    failure,
    onDone,
    expected,
    onOvertaken,
    showRefusal,
    onFailure,
  } = command
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isHere = useIsHere()
  const session = sessionNumber()
  const scope = changeScope(order.id)
  const action = `${scope} ${event}`

  const showOrder = (): void => void navigate({ to: '/orders/view/$id', params: { id: order.id } })
  const goesOn = (): boolean => isDecision && preferences.get().afterDecision === 'next'

  const leave = (changed?: Order): void => {
    if (!isHere.current || onDone(changed) === 'stay') return
    // The dialog closes at once; drawing the order in the same press would delay that.
    // The way back leads to the list, however many orders were decided.
    const openNext = (id: string): void =>
      void navigate({ to: '/orders/view/$id', params: { id }, replace: true })
    afterPaint(goesOn() ? () => void goOn({ queryClient, id: order.id, open: openNext }) : showOrder)
  }

  // An answer to an older question would look fresh after the change.
  const askAgain = (): void => {
    const filter = { queryKey: orderQuery(order.id).queryKey }
    void queryClient.cancelQueries(filter).then(() => queryClient.invalidateQueries(filter))
  }

  const notUpdated = messages.orderNotUpdated(order.id)
  /** In the words of its dialog while that is open, and otherwise in words about the order as a whole. */
  const tell = (reason?: string): void => {
    if (isHere.current && failure) tellFailure(action, failure, reason)
    else tellFailure(scope, notUpdated, reason)
  }

  /** The words about the order as a whole go with the next try of any of its commands. */
  const takeBack = (): void => {
    takeBackFailure(action)
    takeBackFailure(scope)
  }

  const tryAgain = (body: B): void => {
    const known = queryClient.getQueryData(orderQuery(order.id).queryKey) ?? findListed(queryClient, order.id)
    // The order has changed since the press, perhaps because of it, so the clerk has to look first.
    if (known && known.version > seenVersion(order)) showOrder()
    else update.mutate(body)
  }

  const tellUnconfirmed = (body: B): void => {
    // Another person is signed in now.
    if (sessionNumber() !== session) return
    const words = isKeyless ? unsafeToRepeat : safeToRepeat
    // A dialog that is still open has its own retry button, and all typed text.
    if (isHere.current) tell(words)
    else toastWithAction(notUpdated, words, { of: scope, label: 'Try again', act: () => tryAgain(body) })
    askAgain()
  }

  const update: UseMutationResult<Order, Error, B, Ahead | undefined> = useMutation({
    // One change of an order at a time: a later press waits for the answer to an earlier one.
    scope: { id: scope },
    // A key belongs to the order as the clerk saw it. After a change, the same press is another request.
    mutationFn: (body: B) => {
      const wanted = `${order.id} ${seenVersion(order)} ${JSON.stringify(body) ?? ''}`
      const sendNow = (once: Once) => send(body, askerOf(once))
      const kept = keeper.get()
      if (!decision || !kept) return sendOnce(wanted, sendNow, { isKeyless })
      return kept.sendOrKeep({ decided: decision, order, wanted, sendNow, record: (ask) => send(body, ask) })
    },
    onMutate: () => {
      takeBack()
      if (!expected) return undefined
      void queryClient.cancelQueries({ queryKey: orderQuery(order.id).queryKey })
      const ahead = { takeBack: paintAhead(queryClient, order, expected), unmark: markWhenLate(order.id) }
      leave(order)
      return ahead
    },
    onSuccess: (changed, _body, ahead) => {
      ahead?.unmark()
      takeBack()
      track(event)
      replaceOrder(queryClient, changed)
      askAgain()
      const isClosedEarly = !expected && !isHere.current
      const words = typeof success === 'function' ? success(changed) : success
      if (isClosedEarly) toast('success', words ?? messages.rejectSucceeded, `Order #${order.id}`)
      else if (words) toast('success', words)
      if (!expected) leave(changed)
    },
    onError: (error, body, ahead) => {
      ahead?.unmark()
      if (error instanceof WaitsHere) {
        if (ahead) error.takeBackWith(ahead.takeBack)
        takeBack()
        toast('success', 'Not sent yet', `Order #${order.id} is sent when the connection is back.`)
        if (!expected) leave(order)
        return
      }
      const isTold = ahead !== undefined && !ahead.takeBack()
      if (error instanceof UnreachableError) {
        onFailure?.(error)
        if (!isTold) tellUnconfirmed(body)
        return
      }
      if (error instanceof CallError && error.status === 409 && error.body['order']) {
        const { order: current } = error.body as TransitionRefusal
        replaceOrder(queryClient, current)
        askAgain()
        // A rule may be about what was typed, such as the hour.
        if (error.code === 'duty_forbids' && isHere.current && onFailure?.(error)) return
        tell(refusalWords(error))
        const isOver = !onOvertaken || isByRule(error) || onOvertaken(current) === 'leave'
        if (isOver && !expected) leave()
        return
      }
      const [atField] = error instanceof CallError ? Object.values(error.fieldErrors) : []
      const words = atField ?? onFailure?.(error)
      if (isHere.current && words !== undefined && (atField === undefined || isAtField(error, showRefusal)))
        return
      tell(words ?? reasonOf(error))
    },
  })
  return update
}

function askerOf({ idempotencyKey, limitMs }: Once): Ask {
  const until = Date.now() + limitMs
  return (line, input) => callWith(line, input, { idempotencyKey, limitMs: until - Date.now() })
}

function isAtField(error: Error, show: Command<unknown>['showRefusal']): boolean {
  return error instanceof CallError && show?.(error) === true
}

function useIsHere() {
  const isHere = useRef(false)
  useLayoutEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}

export function newerOf(a: Order, b: Order): Order {
  return b.version > a.version ? b : a
}
