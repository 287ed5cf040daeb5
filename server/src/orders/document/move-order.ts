import { guardHolds, type Guard } from '@cellarhand/contract/order-guards'
import { findTransition, type OrderAction } from '@cellarhand/contract/order-lifecycle'
import type { HistoryEntry } from '@cellarhand/contract/orders'
import type { RefusalCode } from '@cellarhand/contract/refusals'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { endAlarm, raiseAlarm, type AlarmKey } from '../live/alarms.ts'
import { writeKeys } from './order-keys.ts'
import { latestDecision } from './reads.ts'
import { toWireText, type StoredOrder } from './stored-order.ts'
import { moveCounts, noteChange, placeOf, type Actor, type CountMove } from './write-order.ts'

export interface OrderKey {
  readonly merchantId: string
  readonly orderId: string
}

export interface LockedOrder {
  readonly order: StoredOrder
  readonly deadlineAt: Date
  readonly timezone: string
  /** Of the next change: after a restore, those below may have been told already. */
  readonly leastVersion: number
}

interface LockedRow {
  readonly document: string
  readonly deadline_at: Date
  readonly timezone: string
  readonly least_version: number
}

const lockedColumns = 'o.document, o.deadline_at, m.timezone, m.least_version'

function toLockedOrder(row: LockedRow): LockedOrder {
  return {
    order: JSON.parse(row.document) as StoredOrder,
    deadlineAt: row.deadline_at,
    timezone: row.timezone,
    leastVersion: row.least_version,
  }
}

/** Holds the order until the transaction ends; of two clerks the second waits here and then sees what the first did. */
export async function lockOrder(
  statements: Statements,
  { merchantId, orderId }: OrderKey,
): Promise<LockedOrder> {
  const [row] = await statements.query<LockedRow>(
    `select ${lockedColumns}
     from orders o join merchants m using (merchant_id)
     where o.merchant_id = $1 and o.order_id = $2 for update of o`,
    [merchantId, orderId],
  )
  return row === undefined ? refuse('not_found') : toLockedOrder(row)
}

/** Several at once, always in the same order, so that no two callers wait for each other. */
export async function lockOrders(
  statements: Statements,
  merchantId: string,
  orderIds: readonly string[],
): Promise<Map<string, LockedOrder>> {
  const rows = await statements.query<LockedRow>(
    `select ${lockedColumns}
     from orders o join merchants m using (merchant_id)
     where o.merchant_id = $1 and o.order_id = any($2) order by o.order_id for update of o`,
    [merchantId, orderIds],
  )
  return new Map(rows.map(toLockedOrder).map((locked) => [locked.order.id, locked]))
}

interface Change {
  readonly action: string
  readonly actor: Actor
  /** The fields that change; the status comes from the lifecycle table alone. */
  readonly patch?: Partial<Omit<StoredOrder, 'id' | 'status' | 'version'>>
  /** The field that the order no longer has. */
  readonly without?: 'age_check' | undefined
  readonly status?: StoredOrder['status']
  readonly comment?: string | null
  readonly details?: unknown
  readonly shippedAt?: Date
}

export interface LockedChange {
  readonly locked: LockedOrder
  readonly change: Change
}

/** Writes one change of a locked order with everything that belongs to it, and answers the order's new wire text. */
export async function writeChange(
  statements: Statements,
  merchantId: string,
  { locked, change }: LockedChange,
): Promise<string> {
  const order = applyChange(locked, change)
  await Promise.all([
    writeRows(statements, merchantId, { before: locked.order, order, change }),
    moveCounts(statements, merchantId, [{ order, from: placeOf(locked.order), to: placeOf(order) }]),
  ])
  return toWireText(order, {
    deadlineMs: locked.deadlineAt.getTime(),
    timezone: locked.timezone,
    nowMs: Date.now(),
  })
}

/** The same for several orders: whoever changes more than one in a transaction has to count them together. */
export async function writeChanges(
  statements: Statements,
  merchantId: string,
  changes: readonly LockedChange[],
): Promise<void> {
  if (changes.length === 0) return
  const moves: CountMove[] = []
  for (const { locked, change } of changes) {
    const order = applyChange(locked, change)
    moves.push({ order, from: placeOf(locked.order), to: placeOf(order) })
    await writeRows(statements, merchantId, { before: locked.order, order, change })
  }
  await moveCounts(statements, merchantId, moves)
}

function applyChange({ order: before, leastVersion }: LockedOrder, change: Change): StoredOrder {
  const comment = commentOf(change)
  const after = {
    ...before,
    ...change.patch,
    status: change.status ?? before.status,
    version: Math.max(before.version + 1, leastVersion),
    ...(comment === null ? {} : { status_comment: comment, status_recent_comment: comment }),
  }
  if (change.without === 'age_check') delete after.age_check
  return after
}

function commentOf({ comment }: Change): string | null {
  return comment?.trim() || null
}

interface ChangedOrder {
  readonly before: StoredOrder
  readonly order: StoredOrder
  readonly change: Change
}

async function writeRows(
  statements: Statements,
  merchantId: string,
  { before, order, change }: ChangedOrder,
): Promise<void> {
  const place = placeOf(order)
  const note = {
    action: change.action,
    fromStatus: before.status,
    actor: change.actor,
    comment: commentOf(change),
    details: change.details,
  }
  await Promise.all([
    statements.query(
      `update orders set status = $3, tab = $4, display_group = $5, version = $6, document = $7, shipped_at = coalesce($8, shipped_at)
       where merchant_id = $1 and order_id = $2`,
      [
        merchantId,
        order.id,
        order.status,
        place.tab,
        place.display_group,
        order.version,
        JSON.stringify(order),
        change.shippedAt ?? null,
      ],
    ),
    noteChange(statements, merchantId, { order, note, kind: 'order.updated' }),
    writeKeys(statements, merchantId, { before, order }),
    moveAlarms(statements, { merchantId, before, after: order, actor: change.actor }),
  ])
}

interface Move {
  readonly merchantId: string
  readonly before: StoredOrder
  readonly after: StoredOrder
  readonly actor: Actor
}

/** An order that is taken further has been noticed; one that is cancelled, or starts again, has to be. */
async function moveAlarms(statements: Statements, { merchantId, before, after, actor }: Move): Promise<void> {
  const alarm = (kind: AlarmKey['kind']) => ({ merchantId, orderId: after.id, kind })
  if (after.status === before.status) {
    if (actor.kind === 'merchant' && after.status === 'SUBMITTED')
      await endAlarm(statements, alarm('new'), actor.name)
    return
  }
  if (before.status === 'SUBMITTED') await endAlarm(statements, alarm('new'), actor.name)
  if (after.status === 'SUBMITTED') await raiseAlarm(statements, alarm('new'))
  if (after.status === 'CANCELLED') await raiseAlarm(statements, alarm('cancelled'))
}

const refusalOfGuard: Partial<Record<Guard, RefusalCode>> = {
  presale_ready: 'presale_not_ready',
  courier_estimated: 'courier_not_available',
  no_live_courier: 'courier_not_available',
}

/** The order as it is and who decided on it last, for whoever comes too late (GAP-108). */
function standing(locked: LockedOrder, latest: HistoryEntry | null) {
  const { order, deadlineAt, timezone } = locked
  const text = toWireText(order, { deadlineMs: deadlineAt.getTime(), timezone, nowMs: Date.now() })
  return { order: JSON.parse(text) as unknown, latest }
}

/** Refuses a decision made on an older state than one that somebody decided on since. */
export async function requireSeen(
  statements: Statements,
  key: OrderKey,
  { locked, seenVersion }: { locked: LockedOrder; seenVersion: number | undefined },
): Promise<void> {
  if (seenVersion === undefined || locked.order.version <= seenVersion) return
  const latest = await latestDecision(statements, key, seenVersion)
  if (latest === null) return
  refuse('invalid_transition', {
    message: 'Somebody decided on this order before you. Please look at it and decide again.',
    body: standing(locked, latest),
  })
}

/** Refuses what the lifecycle table does not allow. */
export async function requireTransition(
  statements: Statements,
  merchantId: string,
  { locked, action }: { locked: LockedOrder; action: OrderAction },
) {
  const transition = findTransition(action)
  const { order } = locked
  const failed = transition.guards.find((guard) => !guardHolds(guard, order, Date.now()))
  const isFromHere = transition.from.includes(order.status)
  if (isFromHere && failed === undefined) return transition
  const latest = await latestDecision(statements, { merchantId, orderId: order.id })
  return refuse((isFromHere && failed !== undefined && refusalOfGuard[failed]) || 'invalid_transition', {
    body: standing(locked, latest),
  })
}

/** Who brings an order back undoes its hand-over: what was paid by then stays paid. */
async function statusBeforeHandOver(
  statements: Statements,
  { merchantId, orderId }: OrderKey,
): Promise<StoredOrder['status']> {
  const [row] = await statements.query<{ from_status: StoredOrder['status'] }>(
    `select from_status from order_history
     where merchant_id = $1 and order_id = $2 and to_status = 'MERCHANT_SHIPPED' and from_status <> to_status
     order by version desc limit 1`,
    [merchantId, orderId],
  )
  return row?.from_status ?? 'MERCHANT_ACCEPTED'
}

export interface Transit extends OrderKey {
  readonly action: OrderAction
  readonly actor: Actor
  /** What the one who decides has seen of the order; anything where that does not matter. */
  readonly seenVersion?: number | undefined
}

type Outcome = Pick<Change, 'patch' | 'without' | 'comment' | 'details' | 'shippedAt'>

/** One step of the lifecycle as one locked read and one write. `decide` may refuse, and says what else changes. */
export async function moveOrder(
  statements: Statements,
  { action, actor, seenVersion, ...key }: Transit,
  decide: (order: StoredOrder) => Outcome = () => ({}),
): Promise<string> {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, { locked, seenVersion })
  const transition = await requireTransition(statements, key.merchantId, { locked, action })
  const outcome = decide(locked.order)
  const status = transition.isBack ? await statusBeforeHandOver(statements, key) : transition.to
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      ...outcome,
      action,
      actor,
      ...(status === undefined ? {} : { status }),
      ...(transition.to === 'MERCHANT_SHIPPED' ? { shippedAt: new Date() } : {}),
    },
  })
}
