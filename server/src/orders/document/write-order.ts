import { dutyNoteOf } from '@cellarhand/contract/duty-note'
import { needsLook } from '@cellarhand/contract/needs-look'
import { hasLiveCourier, presaleShipsFrom } from '@cellarhand/contract/order-guards'
import { displayGroupOf, tabOf } from '@cellarhand/contract/order-statuses'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { recordEvent } from '#platform/events/outbox.ts'
import type { StoredOrder } from './stored-order.ts'

/** The author of a change: a person of the merchant, or one of the parties outside. */
export interface Actor {
  readonly kind: 'merchant' | 'marketplace' | 'courier' | 'carrier' | 'system'
  readonly id: string | null
  readonly name: string
}

export function actorOf(caller: Staff): Actor {
  return { kind: 'merchant', id: caller.userId, name: caller.name }
}

export interface HistoryNote {
  readonly action: string
  readonly fromStatus: string | null
  readonly actor: Actor
  readonly comment: string | null
  readonly details?: unknown
}

export interface OrderPlace {
  readonly tab: string
  readonly display_group: string
  readonly needs_look: boolean
}

/** An order's place in the list: the values by which it is counted and filtered. */
export function placeOf(order: StoredOrder): OrderPlace {
  return {
    tab: tabOf(order.status, order.delivery.method),
    display_group: displayGroupOf(order.status, order.printed_timestamp),
    needs_look: needsLook(order),
  }
}

/** Still to be done by somebody in the shop, who can hurry it. */
export function isInShop({ tab, display_group: group }: OrderPlace): boolean {
  return tab === 'active' && group !== 'shipped'
}

/**
 * The first day, YYYY-MM-DD, on which a clerk can bring an accepted order on its way. With a courier on the way, the order
 * waits for the courier.
 */
export function leavesFrom(order: StoredOrder): string {
  return hasLiveCourier(order) ? 'infinity' : (presaleShipsFrom(order.items) ?? '-infinity')
}

/** The order as it is written: what its rules ask of it as it is now, in the words of a row. */
export function withDutyNote(order: StoredOrder): StoredOrder {
  if (order.duties === undefined) return order
  const { note: _, ...duties } = order.duties
  const note = dutyNoteOf(order)
  return { ...order, duties: note === undefined ? duties : { ...duties, note } }
}

/** The application of an order without one; in a key column, null would not equal itself. */
export const noApplication = ''

export interface CountMove {
  readonly order: StoredOrder
  readonly from?: OrderPlace
  readonly to: OrderPlace
}

/**
 * Moves orders from one count to another. It also raises the merchant's sum of changes when an order keeps its place,
 * because remembered pages are valid as long as that sum. One statement moves all orders of a transaction, in key
 * order, so that two writers cannot deadlock.
 */
export async function moveCounts(
  statements: Statements,
  merchantId: string,
  moves: readonly CountMove[],
): Promise<void> {
  const steps = new Map<string, { n: number; looks: number }>()
  for (const { order, from, to } of moves) {
    const step = ({ tab, display_group: group, needs_look: isLook }: OrderPlace, by: number) => {
      const key = JSON.stringify([tab, group, order.delivery.method, order.application_ref ?? noApplication])
      const { n, looks } = steps.get(key) ?? { n: 0, looks: 0 }
      steps.set(key, { n: n + by, looks: looks + (isLook ? by : 0) })
    }
    if (from !== undefined) step(from, -1)
    step(to, 1)
  }
  const rows = [...steps]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { n, looks }]) => [...(JSON.parse(key) as string[]), n, looks])
  await statements.query(
    `insert into order_counts as c (merchant_id, tab, display_group, delivery_method, application_ref, n, looks)
     select $1, step.tab, step.display_group, step.delivery_method, step.application_ref, step.n, step.looks
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::int[]) with ordinality
       as step (tab, display_group, delivery_method, application_ref, n, looks, place)
     order by step.place
     on conflict (merchant_id, tab, display_group, delivery_method, application_ref)
       do update set n = c.n + excluded.n, looks = c.looks + excluded.looks, changes = c.changes + 1`,
    [merchantId, ...[0, 1, 2, 3, 4, 5].map((column) => rows.map((row) => row[column]))],
  )
}

/** The history row and the event of one change; both carry its version. */
export async function noteChange(
  statements: Statements,
  merchantId: string,
  change: {
    order: StoredOrder
    note: HistoryNote
    kind: 'order.created' | 'order.updated' | 'order.taken' | 'order.picked'
  },
): Promise<void> {
  const { order, note, kind } = change
  await Promise.all([
    statements.query(
      `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_id, actor_name, comment, details)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        merchantId,
        order.id,
        order.version,
        note.action,
        note.fromStatus,
        order.status,
        note.actor.kind,
        note.actor.id,
        note.actor.name,
        note.comment,
        note.details === undefined ? null : JSON.stringify(note.details),
      ],
    ),
    recordEvent(statements, {
      merchantId,
      kind,
      payload: {
        id: order.id,
        thirstie_logistic_order_ref: order.thirstie_logistic_order_ref,
        status: order.status,
        tab: placeOf(order).tab,
        version: order.version,
        action: note.action,
        comment: note.comment,
      },
      isInternal: kind === 'order.taken' || kind === 'order.picked',
    }),
  ])
}
