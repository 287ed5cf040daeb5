import { actionLabels } from '@cellarhand/contract/labels'
import { messages } from '@cellarhand/contract/messages'
import type { TransitionRefusal } from '@cellarhand/contract/orders'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { CallError, UnreachableError } from '#lib/call.ts'
import { formatTime } from '#lib/dates.ts'
import { useTimezone } from '#merchants/public.ts'
import { toast } from '#ui/toasts.tsx'
import { replaceOrder } from './order-cache.ts'
import type { Order } from './queries.ts'
import { orderQuery } from './queries.ts'

interface Command<B> {
  order: Order
  send: (body: B, idempotencyKey: string) => Promise<Order>
  success?: string
  failure?: string
  onDone: () => void
  /** Says it where the clerk looks, in place of a toast; false leaves it to the toast. */
  onFailure?: (error: Error) => boolean
}

/**
 * One change of an order's status: the reply replaces the order everywhere, and the clerk is taken to it (ROUTE-016).
 * A refusal because somebody was faster shows what happened and by whom. Field errors stay with the form.
 */
export function useOrderCommand<B>({ order, send, success, failure, onDone, onFailure }: Command<B>) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const timezone = useTimezone()
  const keyFor = useRetryKey()
  const failed = failure ?? messages.orderNotUpdated(order.id)

  const showOrder = (): void => {
    onDone()
    void navigate({ to: '/orders/view/$id', params: { id: order.id } })
  }

  // An answer that is still under way was asked for before the change, and would pass for fresh after it.
  const askAgain = (): void => {
    const filter = { queryKey: orderQuery(order.id).queryKey }
    void queryClient.cancelQueries(filter).then(() => queryClient.invalidateQueries(filter))
  }

  return useMutation({
    mutationFn: (body: B) => send(body, keyFor.keyOf(body)),
    onSuccess: (changed) => {
      keyFor.forget()
      replaceOrder(queryClient, changed)
      askAgain()
      if (success) toast('success', success)
      showOrder()
    },
    onError: (error) => {
      if (error instanceof CallError) keyFor.forget()
      if (error instanceof CallError && error.status === 409 && error.body['order']) {
        const { order: current, latest } = error.body as TransitionRefusal
        replaceOrder(queryClient, current)
        askAgain()
        toast('error', failed, latest ? describe(latest, timezone) : error.message)
        return showOrder()
      }
      if (error instanceof CallError && Object.keys(error.fieldErrors).length > 0) return
      if (onFailure?.(error)) return
      toast('error', failed, reasonOf(error))
    },
  })
}

function reasonOf(error: Error): string | undefined {
  if (error instanceof UnreachableError) return 'The server could not be reached. Please try again.'
  return error instanceof CallError && error.status < 500 ? error.message : undefined
}

function describe(latest: NonNullable<TransitionRefusal['latest']>, timezone: string): string {
  const labels: Record<string, string> = actionLabels
  return `${latest.actor} was faster: ${labels[latest.action] ?? latest.action} at ${formatTime(latest.at, timezone)}.`
}

/** The same key for the same body until an answer came, so that a retry after a lost reply changes nothing twice. */
function useRetryKey() {
  const last = useRef<{ body: string; key: string } | null>(null)
  return {
    keyOf(body: unknown): string {
      const text = JSON.stringify(body) ?? ''
      if (last.current?.body !== text) last.current = { body: text, key: crypto.randomUUID() }
      return last.current.key
    },
    forget(): void {
      last.current = null
    },
  }
}
