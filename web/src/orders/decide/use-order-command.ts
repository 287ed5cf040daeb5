import { actionLabels } from '@cellarhand/contract/decisions'
import { messages } from '@cellarhand/contract/messages'
import type { TransitionRefusal } from '@cellarhand/contract/orders'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { track } from '#lib/reports/analytics.ts'
import { afterPaint } from '#lib/parts/after-paint.ts'
import { CallError, UnreachableError } from '#lib/calls/call.ts'
import { formatTime } from '#lib/time/dates.ts'
import { sendOnce, type Once } from '#lib/calls/send-once.ts'
import { sessionNumber } from '#lib/kept/stored-session.ts'
import { useTimezone } from '#merchants/public.ts'
import { takeBackToast, toast, toastWithAction } from '#ui/notes/toasts.tsx'
import { eventOf } from '../order/analytics-event.ts'
import { changeScope } from '../state/changes-answered.ts'
import { findListed, replaceOrder } from '../state/order-cache.ts'
import { paintAhead } from '../state/paint-ahead.ts'
import type { Order } from '../state/queries.ts'
import { orderQuery } from '../state/queries.ts'
import { markWhenLate } from '../order/unconfirmed.ts'

interface Command<B> {
  order: Order
  send: (body: B, once: Once) => Promise<Order>
  /** The server takes no key for it, so it is not tried again by itself. */
  isKeyless?: true
  /** Where the words depend on what the order has become, a function of it. */
  success?: string | ((changed: Order) => string)
  failure?: string
  /** Closes the dialog. After `'stay'` the clerk is not taken to the order: there is more to do where they are. */
  onDone: () => void | 'stay'
  /** What the order will very probably be: painted at once, and taken back when the server refuses. */
  expected?: (order: Order) => Order
  /** Keeps the dialog, with all that was typed, for who came second; given the order as it is now. */
  onOvertaken?: (current: Order) => void
  /** Answers the words that the dialog has for it: they stand there, and in a toast once the dialog is closed. */
  onFailure?: (error: Error) => string | undefined
}

/** What is on the screen before the server has answered. */
interface Ahead {
  /** False when there was nothing to take back any more. */
  takeBack: () => boolean
  unmark: () => void
}

const notConfirmed = 'Not confirmed. The server did not answer in time, so this may or may not be done.'
const safeToRepeat = `${notConfirmed} Trying again never does it twice.`
const unsafeToRepeat = `${notConfirmed} Check the order before you try again.`

/**
 * One change of an order's status: the reply replaces the order everywhere, and the clerk is taken to it (ROUTE-016).
 * A refusal because somebody was faster shows what happened and by whom. Field errors stay with the form. Who closed
 * the dialog before the answer is about something else: they are told how it ended, and are not taken anywhere. Where no
 * answer comes in time nobody knows how it ended: that is said, and the same request can be sent again.
 */
export function useOrderCommand<B>(
  command: Command<B>,
): UseMutationResult<Order, Error, B, Ahead | undefined> {
  const {
    order,
    send,
    isKeyless = false,
    success,
    failure,
    onDone,
    expected,
    onOvertaken,
    onFailure,
  } = command
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const timezone = useTimezone()
  const isHere = useIsHere()
  const session = sessionNumber()

  const showOrder = (): void => void navigate({ to: '/orders/view/$id', params: { id: order.id } })

  const leave = (): void => {
    if (!isHere.current || onDone() === 'stay') return
    // The dialog is gone at once; drawing the order beneath the same press would hold that up.
    afterPaint(showOrder)
  }

  // An answer that is still under way was asked for before the change, and would pass for fresh after it.
  const askAgain = (): void => {
    const filter = { queryKey: orderQuery(order.id).queryKey }
    void queryClient.cancelQueries(filter).then(() => queryClient.invalidateQueries(filter))
  }

  const failed = (): string => (isHere.current && failure) || messages.orderNotUpdated(order.id)

  const tryAgain = (body: B): void => {
    const known = queryClient.getQueryData(orderQuery(order.id).queryKey) ?? findListed(queryClient, order.id)
    // Since the press the order has changed, perhaps by it: the clerk looks first.
    if (known && known.version > seenVersion(order)) showOrder()
    else update.mutate(body)
  }

  const tellUnconfirmed = (body: B): void => {
    // It was not pressed by who is signed in now.
    if (sessionNumber() !== session) return
    const words = isKeyless ? unsafeToRepeat : safeToRepeat
    // A dialog that is still open has its own button for it, and all that was typed.
    if (isHere.current) toast('error', failed(), words)
    else toastWithAction(failed(), words, { label: 'Try again', act: () => tryAgain(body) })
    askAgain()
  }

  const update: UseMutationResult<Order, Error, B, Ahead | undefined> = useMutation({
    // One change of an order at a time: what is pressed meanwhile waits for the answer to what was pressed before.
    scope: { id: changeScope(order.id) },
    // A key is for the order as the clerk saw it. Once the order has changed, the same press is another request.
    mutationFn: (body: B) =>
      sendOnce(
        `${order.id} ${seenVersion(order)} ${JSON.stringify(body) ?? ''}`,
        (once) => send(body, once),
        { isKeyless },
      ),
    onMutate: () => {
      if (!expected) return undefined
      void queryClient.cancelQueries({ queryKey: orderQuery(order.id).queryKey })
      const ahead = { takeBack: paintAhead(queryClient, order, expected), unmark: markWhenLate(order.id) }
      leave()
      return ahead
    },
    onSuccess: (changed, _body, ahead) => {
      ahead?.unmark()
      for (const text of [failure, messages.orderNotUpdated(order.id)]) if (text) takeBackToast(text)
      track(eventOf(changed))
      replaceOrder(queryClient, changed)
      askAgain()
      const isClosedEarly = !expected && !isHere.current
      const words = typeof success === 'function' ? success(changed) : success
      if (isClosedEarly) toast('success', words ?? messages.rejectSucceeded, `Order #${order.id}`)
      else if (words) toast('success', words)
      if (!expected) leave()
    },
    onError: (error, body, ahead) => {
      ahead?.unmark()
      const isTold = ahead !== undefined && !ahead.takeBack()
      if (error instanceof UnreachableError) {
        onFailure?.(error)
        if (!isTold) tellUnconfirmed(body)
        return
      }
      if (error instanceof CallError && error.status === 409 && error.body['order']) {
        const { order: current, latest } = error.body as TransitionRefusal
        replaceOrder(queryClient, current)
        askAgain()
        toast('error', failed(), latest ? describe(latest, timezone) : error.message)
        if (onOvertaken) onOvertaken(current)
        else if (!expected) leave()
        return
      }
      const [atField] = error instanceof CallError ? Object.values(error.fieldErrors) : []
      const words = atField ?? onFailure?.(error)
      if (words !== undefined && isHere.current) return
      toast('error', failed(), words ?? reasonOf(error))
    },
  })
  return update
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

/** The version that a clerk decides on. One that is painted ahead stands for the answer that it waits for. */
export function seenVersion({ version }: Order): number {
  return Math.ceil(version)
}

export function newerOf(a: Order, b: Order): Order {
  return b.version > a.version ? b : a
}

function reasonOf(error: Error): string | undefined {
  return error instanceof CallError && error.status < 500 ? error.message : undefined
}

function describe(latest: NonNullable<TransitionRefusal['latest']>, timezone: string): string {
  const labels: Record<string, string> = actionLabels
  return `${latest.actor} was faster: ${labels[latest.action] ?? latest.action} at ${formatTime(latest.at, timezone)}.`
}
