import { actionLabels } from '@cellarhand/contract/decisions'
import { messages } from '@cellarhand/contract/messages'
import type { TransitionRefusal } from '@cellarhand/contract/orders'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { track } from '#lib/analytics.ts'
import { afterPaint } from '#lib/after-paint.ts'
import { CallError, UnreachableError } from '#lib/call.ts'
import { formatTime } from '#lib/dates.ts'
import { sendOnce } from '#lib/send-once.ts'
import { useTimezone } from '#merchants/public.ts'
import { toast } from '#ui/toasts.tsx'
import { eventOf } from './analytics-event.ts'
import { changeScope } from './changes-answered.ts'
import { paintAhead, replaceOrder } from './order-cache.ts'
import type { Order } from './queries.ts'
import { orderQuery } from './queries.ts'

interface Command<B> {
  order: Order
  send: (body: B, idempotencyKey: string) => Promise<Order>
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

/**
 * One change of an order's status: the reply replaces the order everywhere, and the clerk is taken to it (ROUTE-016).
 * A refusal because somebody was faster shows what happened and by whom. Field errors stay with the form. Who closed
 * the dialog before the answer is about something else: they are told how it ended, and are not taken anywhere.
 */
export function useOrderCommand<B>(command: Command<B>) {
  const { order, send, success, failure, onDone, expected, onOvertaken, onFailure } = command
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const timezone = useTimezone()
  const isHere = useIsHere()

  const leave = (): void => {
    if (!isHere.current || onDone() === 'stay') return
    // The dialog is gone at once; drawing the order beneath the same press would hold that up.
    afterPaint(() => void navigate({ to: '/orders/view/$id', params: { id: order.id } }))
  }

  // An answer that is still under way was asked for before the change, and would pass for fresh after it.
  const askAgain = (): void => {
    const filter = { queryKey: orderQuery(order.id).queryKey }
    void queryClient.cancelQueries(filter).then(() => queryClient.invalidateQueries(filter))
  }

  return useMutation({
    // One change of an order at a time: what is pressed meanwhile waits for the answer to what was pressed before.
    scope: { id: changeScope(order.id) },
    mutationFn: (body: B) =>
      sendOnce(`${order.id} ${JSON.stringify(body) ?? ''}`, (idempotencyKey) => send(body, idempotencyKey)),
    onMutate: () => {
      if (!expected) return undefined
      void queryClient.cancelQueries({ queryKey: orderQuery(order.id).queryKey })
      const takeBack = paintAhead(queryClient, order, expected)
      leave()
      return takeBack
    },
    onSuccess: (changed) => {
      track(eventOf(changed))
      replaceOrder(queryClient, changed)
      askAgain()
      const isClosedEarly = !expected && !isHere.current
      const words = typeof success === 'function' ? success(changed) : success
      if (isClosedEarly) toast('success', words ?? messages.rejectSucceeded, `Order #${order.id}`)
      else if (words) toast('success', words)
      if (!expected) leave()
    },
    onError: (error, _body, takeBack) => {
      takeBack?.()
      const failed = (isHere.current && failure) || messages.orderNotUpdated(order.id)
      if (error instanceof CallError && error.status === 409 && error.body['order']) {
        const { order: current, latest } = error.body as TransitionRefusal
        replaceOrder(queryClient, current)
        askAgain()
        toast('error', failed, latest ? describe(latest, timezone) : error.message)
        if (onOvertaken) onOvertaken(current)
        else if (!expected) leave()
        return
      }
      const [atField] = error instanceof CallError ? Object.values(error.fieldErrors) : []
      const words = atField ?? onFailure?.(error)
      if (words !== undefined && isHere.current) return
      toast('error', failed, words ?? reasonOf(error))
      // Nobody knows whether it arrived, so the order is asked for.
      if (error instanceof UnreachableError) askAgain()
    },
  })
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
  if (error instanceof UnreachableError) return 'The server could not be reached. Please try again.'
  return error instanceof CallError && error.status < 500 ? error.message : undefined
}

function describe(latest: NonNullable<TransitionRefusal['latest']>, timezone: string): string {
  const labels: Record<string, string> = actionLabels
  return `${latest.actor} was faster: ${labels[latest.action] ?? latest.action} at ${formatTime(latest.at, timezone)}.`
}
