import type { Taken } from '@cellarhand/contract/orders'
import { refusals } from '@cellarhand/contract/refusals'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { MerchantStep } from '../document/merchant-step.ts'
import { lockOrder, lockOrders, type LockedOrder } from '../document/lock-order.ts'
import {
  isOpen,
  standing,
  wireTextOf,
  writeChange,
  writeChanges,
  type LockedChange,
} from '../document/move-order.ts'
import type { Actor } from '../document/write-order.ts'

/** The person takes it, over from a colleague where the caller names the one who has it. */
export async function takeOrder(
  statements: Statements,
  { actor, ...key }: MerchantStep,
  { over }: { over?: string },
): Promise<string> {
  const locked = await lockOrder(statements, key)
  const nowMs = statements.clock.nowMs()
  const { taken } = locked
  if (!isOpen(locked.order)) refuse('order_finished')
  if (taken?.by === actor.id) return wireTextOf(locked, nowMs)
  if (taken !== null && taken.by !== over)
    refuse('order_taken', { message: whoHasIt(taken), body: standing(locked, null, nowMs) })
  return writeChange(statements, key.merchantId, taking(locked, actor, nowMs))
}

/** An order that the person does not have stays as it is. */
export async function letOrderGo(statements: Statements, { actor, ...key }: MerchantStep): Promise<string> {
  const locked = await lockOrder(statements, key)
  if (locked.taken?.by !== actor.id) return wireTextOf(locked, statements.clock.nowMs())
  return writeChange(statements, key.merchantId, lettingGo(locked, actor))
}

interface Wish {
  readonly merchantId: string
  readonly actor: Actor
}

export async function takeOrders(
  statements: Statements,
  { merchantId, actor }: Wish,
  orderIds: readonly string[],
) {
  const ids = [...new Set(orderIds)]
  const locked = await lockOrders(statements, merchantId, ids)
  const nowMs = statements.clock.nowMs()
  const notTaken: { id: string; message: string }[] = []
  const changes: LockedChange[] = []
  let own = 0
  for (const id of ids) {
    const order = locked.get(id)
    if (order === undefined) notTaken.push({ id, message: refusals.not_found.message })
    else if (!isOpen(order.order)) notTaken.push({ id, message: refusals.order_finished.message })
    else if (order.taken?.by === actor.id) own += 1
    else if (order.taken !== null) notTaken.push({ id, message: whoHasIt(order.taken) })
    else changes.push(taking(order, actor, nowMs))
  }
  await writeChanges(statements, merchantId, changes)
  return { taken_count: changes.length + own, not_taken: notTaken }
}

export async function letOrdersGo(
  statements: Statements,
  { merchantId, actor }: Wish,
  orderIds: readonly string[],
) {
  const locked = await lockOrders(statements, merchantId, [...new Set(orderIds)])
  const own = [...locked.values()].filter(({ taken }) => taken?.by === actor.id)
  await writeChanges(
    statements,
    merchantId,
    own.map((order) => lettingGo(order, actor)),
  )
  return { let_go_count: own.length }
}

function taking(locked: LockedOrder, actor: Actor, nowMs: number): LockedChange {
  const taken = { by: actor.id ?? '', name: actor.name, since: new Date(nowMs).toISOString() }
  const from = locked.taken?.name
  return {
    locked,
    change: {
      action: 'take',
      actor,
      taken,
      ...(from !== undefined && { details: { taken_over_from: from } }),
    },
  }
}

function lettingGo(locked: LockedOrder, actor: Actor): LockedChange {
  return { locked, change: { action: 'let_go', actor, taken: null } }
}

function whoHasIt({ name }: Taken): string {
  return `${name} has this order already.`
}
