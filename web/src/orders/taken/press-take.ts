import type { QueryClient } from '@tanstack/react-query'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { GUARD_MS } from '#lib/parts/late-press.ts'
import { shopZone } from '#lib/time/shop-day.ts'
import { untilWords } from '#lib/time/until-words.ts'
import { tellFailure, toast, toastWithAction } from '#ui/notes/toasts.tsx'
import { told } from '#ui/notes/told.ts'
import { findListed } from '../state/order-cache.ts'
import { isMine } from '../state/list-view.ts'
import type { Order } from '../state/queries.ts'
import { orderQuery } from '../state/queries.ts'
import { sendTake } from './take-calls.ts'

export type PressTake = (queryClient: QueryClient, order: Order) => Promise<void>

const pressed = new Map<string, Promise<unknown>>()

/** The key on a row: takes the order, lets an own one go, and asks before it takes over a colleague's. */
export const pressTake: PressTake = async (queryClient, given) => {
  // The answer to the first press decides what a second one would mean, and nobody has read it at once.
  if (pressed.has(given.id)) return
  const order =
    queryClient.getQueryData(orderQuery(given.id).queryKey) ?? findListed(queryClient, given.id) ?? given
  const { taken } = order
  if (taken && !isMine(order)) return askFirst(queryClient, order, taken)
  await send(queryClient, order, { isLeft: taken !== undefined })
}

function askFirst(queryClient: QueryClient, order: Order, taken: NonNullable<Order['taken']>): void {
  toastWithAction(whoHasIt(order), 'Take it over?', {
    of: `take ${order.id}`,
    label: 'Take over',
    act: () => void send(queryClient, order, { isLeft: false, over: taken.by }),
  })
}

function whoHasIt({ id, taken }: Order): string {
  return taken === undefined ? '' : `${taken.name} has #${id} since ${untilWords(taken.since, shopZone())}.`
}

async function send(
  queryClient: QueryClient,
  order: Order,
  wish: { isLeft: boolean; over?: string },
): Promise<void> {
  const action = `take ${order.id}`
  const sent = told(action, () => sendTake(queryClient, order, wish))
  pressed.set(order.id, sent)
  try {
    await sent
    toast('success', wish.isLeft ? `Let go of #${order.id}` : `You have #${order.id}`)
    setTimeout(() => pressed.delete(order.id), GUARD_MS)
  } catch (error) {
    pressed.delete(order.id)
    tellFailure(action, `#${order.id} was not ${wish.isLeft ? 'let go' : 'taken'}`, reasonOf(error))
  }
}
