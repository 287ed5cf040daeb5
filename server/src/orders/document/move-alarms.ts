import { dueAlarmKinds } from '@cellarhand/contract/live'
import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import type { Statements } from '#platform/db/database.ts'
import { endAlarms, raiseAlarm, type AlarmKey } from '../live/alarms.ts'
import type { StoredOrder } from './stored-order.ts'
import { isInShop, placeOf, type Actor } from './write-order.ts'

interface Move {
  readonly merchantId: string
  readonly before: StoredOrder
  readonly after: StoredOrder
  readonly actor: Actor
}

/**
 * A clerk's change or a step forward ends the alarm of a new order; a cancellation or a new start raises one. Alarms for
 * the deadline end with a clerk's change, and once nobody in the shop can hurry the order any more. A question to the
 * owners rings until none of its answers is awaited.
 */
export async function moveAlarms(
  statements: Statements,
  { merchantId, before, after, actor }: Move,
): Promise<void> {
  const alarm = (kind: AlarmKey['kind']) => ({ merchantId, orderId: after.id, kind })
  const isMoved = after.status !== before.status
  const isByClerk = actor.kind === 'merchant'
  const isGone = isMoved && !isInShop(placeOf(after))
  const kinds: AlarmKey['kind'][] = []
  if (isMoved ? before.status === 'SUBMITTED' : isByClerk && after.status === 'SUBMITTED') kinds.push('new')
  if (isByClerk || isGone) kinds.push(...dueAlarmKinds)
  const [waited, waits] = [questionsOf(before), questionsOf(after)]
  if (waited > 0 && waits === 0) kinds.push('asked')
  if (kinds.length > 0) await endAlarms(statements, { merchantId, orderId: after.id, kinds }, actor.name)
  if (waits > waited) await raiseAlarm(statements, alarm('asked'))
  if (!isMoved) return
  if (after.status === 'SUBMITTED') await raiseAlarm(statements, alarm('new'))
  if (after.status === 'CANCELLED') await raiseAlarm(statements, alarm('cancelled'))
}

/** How many rules of an open order wait for an owner's answer. */
function questionsOf({ status, duties }: StoredOrder): number {
  return isFinishedForMerchant(status) ? 0 : (duties?.asked?.length ?? 0)
}
