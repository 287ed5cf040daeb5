import type { Answer } from '@cellarhand/contract/duties'
import { guardHolds, type Guard } from '@cellarhand/contract/order-guards'
import { findTransition, type OrderAction, type Transition } from '@cellarhand/contract/order-lifecycle'
import type { HistoryEntry, Taken } from '@cellarhand/contract/orders'
import type { RefusalCode } from '@cellarhand/contract/refusals'
import type { DutyBook } from '#duties/public.ts'
import { dayIn } from '#platform/clock/zoned-time.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { deadlineAfter } from './deadline.ts'
import { lockOrder, type LockedOrder, type OrderKey } from './lock-order.ts'
import { moveAlarms } from './move-alarms.ts'
import { askDuties, carriedDuties, withNewAnswer, type AskedDuties } from './order-duties.ts'
import { writeKeys } from './order-keys.ts'
import { latestDecision } from './reads.ts'
import { toWireText, type StoredOrder } from './stored-order.ts'
import {
  isInShop,
  leavesFrom,
  moveCounts,
  noteChange,
  placeOf,
  withDutyNote,
  type Actor,
  type CountMove,
} from './write-order.ts'

interface Change {
  readonly action: string
  readonly actor: Actor
  /** The row of the lifecycle table that the change follows. A status comes from there alone; without a row it stays. */
  readonly transition?: Transition
  /** The fields that change beside the status. */
  readonly patch?: Partial<Omit<StoredOrder, 'id' | 'status' | 'version'>>
  /** The field that the order loses. */
  readonly without?: 'age_check' | 'came_back' | undefined
  /** A parcel that had come back has left again. */
  readonly isSentAgain?: boolean
  /** The clerk who has the order from now on; null for nobody. */
  readonly taken?: Taken | null
  readonly comment?: string | null
  readonly details?: unknown
  /** The event of a change that no other party hears of, as that of `taken` is. */
  readonly kind?: 'order.picked'
}

export interface LockedChange {
  readonly locked: LockedOrder
  readonly change: Change
}

/** Writes one change of a locked order with everything that belongs to it; returns the order's new wire text. */
export async function writeChange(
  statements: Statements,
  merchantId: string,
  { locked, change }: LockedChange,
): Promise<string> {
  const order = applyChange(locked, change, await statusAfter(statements, merchantId, { locked, change }))
  const deadlineAt = await deadlineAfter(statements, merchantId, { locked, order })
  await Promise.all([
    writeRows(statements, merchantId, { locked, order, deadlineAt, change }),
    moveCounts(statements, merchantId, [{ order, from: placeOf(locked.order), to: placeOf(order) }]),
  ])
  const taken = change.actor.kind === 'merchant' ? takenAfter(locked, order, change) : null
  return wireTextOf({ ...locked, order, deadlineAt, taken }, statements.clock.nowMs())
}

/** The same for several orders: a transaction that changes more than one has to count them together. */
export async function writeChanges(
  statements: Statements,
  merchantId: string,
  changes: readonly LockedChange[],
): Promise<void> {
  if (changes.length === 0) return
  const moves: CountMove[] = []
  for (const { locked, change } of changes) {
    const order = applyChange(locked, change, await statusAfter(statements, merchantId, { locked, change }))
    moves.push({ order, from: placeOf(locked.order), to: placeOf(order) })
    const deadlineAt = await deadlineAfter(statements, merchantId, { locked, order })
    await writeRows(statements, merchantId, { locked, order, deadlineAt, change })
  }
  await moveCounts(statements, merchantId, moves)
}

async function statusAfter(
  statements: Statements,
  merchantId: string,
  { locked: { order }, change: { transition } }: LockedChange,
): Promise<StoredOrder['status']> {
  return transition?.isBack
    ? statusBeforeHandOver(statements, { merchantId, orderId: order.id })
    : (transition?.to ?? order.status)
}

function applyChange(
  { order: before, leastVersion }: LockedOrder,
  change: Change,
  status: StoredOrder['status'],
): StoredOrder {
  const comment = commentOf(change)
  const after = {
    ...before,
    ...change.patch,
    status,
    version: Math.max(before.version + 1, leastVersion),
    ...(comment === null ? {} : { status_comment: comment, status_recent_comment: comment }),
  }
  if (change.without) delete after[change.without]
  // What the shop has to send, or has sent again, did not come back.
  if (change.isSentAgain || change.transition?.isBack) delete after.came_back
  // Nothing is missing of an order that goes on or ends.
  if (status !== 'REJECTED_PARTIAL') {
    delete after.shortage
    delete after.substitutes
  }
  return withDutyNote(after)
}

function commentOf({ comment }: Change): string | null {
  return comment?.trim() || null
}

/** A locked order as the merchant reads it. */
export function wireTextOf({ order, deadlineAt, timezone, taken }: LockedOrder, nowMs: number): string {
  const holder = taken === null ? null : JSON.stringify(taken)
  return toWireText(order, { deadlineMs: deadlineAt.getTime(), timezone, nowMs, taken: holder })
}

/** Nobody has an order that is done. */
function takenAfter({ taken }: LockedOrder, order: StoredOrder, change: Change): Taken | null {
  if (!isOpen(order)) return null
  return change.taken === undefined ? taken : change.taken
}

function leavesNow({ transition, isSentAgain }: Change): boolean {
  return transition?.to === 'MERCHANT_SHIPPED' || isSentAgain === true
}

/** Still on the active tab, or on hold. */
export function isOpen(order: StoredOrder): boolean {
  return ['active', 'on_hold'].includes(placeOf(order).tab)
}

interface ChangedOrder {
  readonly locked: LockedOrder
  readonly order: StoredOrder
  readonly deadlineAt: Date
  readonly change: Change
}

async function writeRows(
  statements: Statements,
  merchantId: string,
  { locked, order, deadlineAt, change }: ChangedOrder,
): Promise<void> {
  const { order: before } = locked
  const place = placeOf(order)
  const now = new Date(statements.clock.nowMs())
  const isBack = isInShop(place) && !isInShop(placeOf(before))
  const taken = takenAfter(locked, order, change)
  const note = {
    action: change.action,
    fromStatus: before.status,
    actor: change.actor,
    comment: commentOf(change),
    details: change.details,
  }
  await Promise.all([
    statements.query(
      `update orders set status = $3, tab = $4, display_group = $5, version = $6, document = $7, shipped_at = coalesce($8, shipped_at), needs_look = $9,
         taken = $10, taken_by = $11, has_slip = $12, leaves_from = $13, back_at = coalesce($14, back_at), deadline_at = $15
       where merchant_id = $1 and order_id = $2`,
      [
        merchantId,
        order.id,
        order.status,
        place.tab,
        place.display_group,
        order.version,
        JSON.stringify(order),
        leavesNow(change) ? now : null,
        place.needs_look,
        taken === null ? null : JSON.stringify(taken),
        taken?.by ?? null,
        order.printed_timestamp !== null,
        leavesFrom(order),
        isBack ? now : null,
        deadlineAt,
      ],
    ),
    noteChange(statements, merchantId, {
      order,
      note,
      kind: change.kind ?? (change.taken === undefined ? 'order.updated' : 'order.taken'),
    }),
    writeKeys(statements, merchantId, { before, order }),
    moveAlarms(statements, { merchantId, before, after: order, actor: change.actor }),
  ])
}

const refusalOfGuard: Partial<Record<Guard, RefusalCode>> = {
  presale_ready: 'presale_not_ready',
  courier_estimated: 'courier_not_available',
  no_live_courier: 'courier_not_available',
  nothing_forbids: 'duty_forbids',
}

function refusalOf(action: OrderAction, failed: Guard | undefined): RefusalCode | undefined {
  if (action === 'correct_address' && failed === 'no_live_courier') return 'courier_under_way'
  return failed && refusalOfGuard[failed]
}

/** The order as it is, and the last decision on it, for a clerk who comes too late (GAP-108). */
export function standing(locked: LockedOrder, latest: HistoryEntry | null, nowMs: number) {
  return { order: JSON.parse(wireTextOf(locked, nowMs)) as unknown, latest }
}

interface Late {
  /** Changes that decide nothing for other steps, and do for this one. */
  readonly alsoAfter?: readonly string[] | undefined
  /** The changes that alone decide: a payment makes no corrected address late. */
  readonly onlyAfter?: readonly string[] | undefined
}

interface Seen extends Late {
  readonly locked: LockedOrder
  readonly seenVersion: number | undefined
}

/** Refuses a decision that was made on an older state than the last decision. */
export async function requireSeen(
  statements: Statements,
  key: OrderKey,
  { locked, seenVersion, alsoAfter, onlyAfter }: Seen,
): Promise<void> {
  if (seenVersion === undefined || locked.order.version <= seenVersion) return
  const latest = await latestDecision(statements, key, {
    afterVersion: seenVersion,
    also: alsoAfter,
    only: onlyAfter,
  })
  if (latest === null) return
  refuse('invalid_transition', {
    message: 'Somebody decided on this order before you. Please look at it and decide again.',
    body: standing(locked, latest, statements.clock.nowMs()),
  })
}

interface WantedStep {
  readonly locked: LockedOrder
  readonly action: OrderAction
  /** The shop's rules, for a caller that has read them. */
  readonly book?: DutyBook | undefined
  /** When the bottles changed hands, where a clerk says so afterwards. */
  readonly handedOverOn?: string | null | undefined
}

/** Refuses a step that the lifecycle table does not allow, or a rule. */
export async function requireTransition(
  statements: Statements,
  merchantId: string,
  step: WantedStep,
): Promise<Transition> {
  return (await requireStep(statements, merchantId, step)).transition
}

async function requireStep(
  statements: Statements,
  merchantId: string,
  step: WantedStep,
): Promise<{ transition: Transition; asked?: AskedDuties }> {
  const { locked, action } = step
  const transition = findTransition(action)
  const { timezone } = locked
  const isFromHere = transition.from.includes(locked.order.status)
  const asked =
    isFromHere && transition.guards.includes('nothing_forbids')
      ? await askDuties(statements, merchantId, { ...step, ...locked })
      : undefined
  const order = asked === undefined ? locked.order : withDuties(locked.order, asked.answer)
  const nowMs = statements.clock.nowMs()
  const today = dayIn(nowMs, timezone)
  const failed = transition.guards.find((guard) => !guardHolds(guard, order, today))
  if (isFromHere && failed === undefined) return { transition, ...(asked && { asked }) }
  const latest = await latestDecision(statements, { merchantId, orderId: order.id })
  const [forbids] = failed === 'nothing_forbids' ? (asked?.answer.block ?? []) : []
  return refuse((isFromHere && refusalOf(action, failed)) || 'invalid_transition', {
    ...(forbids && { message: forbids.words }),
    body: standing(transition.by === 'merchant' ? locked : { ...locked, taken: null }, latest, nowMs),
  })
}

function withDuties(order: StoredOrder, answer: Answer): StoredOrder {
  const duties = carriedDuties(answer, order.duties)
  return duties === undefined ? order : { ...order, duties }
}

/** Bringing an order back undoes its hand-over; a payment since then stays. */
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

export interface Transit extends OrderKey, Late {
  readonly action: OrderAction
  readonly actor: Actor
  /** The version that the clerk saw; undefined if any will do. */
  readonly seenVersion?: number | undefined
  readonly handedOverOn?: string | null | undefined
}

type Outcome = Pick<Change, 'patch' | 'without' | 'isSentAgain' | 'comment' | 'details'>

/** One step of the lifecycle as one locked read and one write. `decide` may refuse, and returns the other changes. */
export async function moveOrder(
  statements: Statements,
  { action, actor, seenVersion, handedOverOn, alsoAfter, onlyAfter, ...key }: Transit,
  decide: (order: StoredOrder, asked: AskedDuties | undefined) => Outcome | Promise<Outcome> = () => ({}),
): Promise<string> {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, { locked, seenVersion, alsoAfter, onlyAfter })
  const { transition, asked } = await requireStep(statements, key.merchantId, {
    locked,
    action,
    handedOverOn,
  })
  const outcome = await decide(locked.order, asked)
  const patch = await withNewAnswer(statements, key.merchantId, {
    order: locked.order,
    patch: outcome.patch,
    isBack: transition.isBack === true,
  })
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      ...outcome,
      ...withRules(outcome.details, asked),
      ...(patch && { patch }),
      action,
      actor,
      transition,
    },
  })
}

/** The history names the rules that the step was taken under. */
function withRules(details: unknown, asked: AskedDuties | undefined): Pick<Outcome, 'details'> {
  const rules = (asked?.answer.must ?? []).map(({ rule }) => rule)
  return rules.length === 0 ? {} : { details: { ...(details as object | undefined), rules } }
}
