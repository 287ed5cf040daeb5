import { addressErrors } from '@cellarhand/contract/label-errors'
import { dueClassOf } from '@cellarhand/contract/on-track'
import { deliveryMethods, isLocal, type DisplayGroup } from '@cellarhand/contract/order-statuses'
import {
  shiftLooksAtMost,
  shiftNamesAtMost,
  shiftProblemsAtMost,
  type Shift,
  type ShiftOrder,
  type ShiftPart,
  type ShiftProblem,
} from '@cellarhand/contract/today'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { heldOrders } from './held-orders.ts'

interface OpenOrder {
  readonly id: string
  readonly deadlineMs: number
  readonly method: string
  readonly group: DisplayGroup
  readonly needsLook: boolean
}

type OpenRow = readonly [id: string, deadlineMs: number, method: string, group: DisplayGroup, look: boolean]

interface Answer {
  readonly timezone: string
  readonly counts: { tab: string; group: DisplayGroup; method: string; n: number; looks: number }[] | null
  readonly open: OpenRow[] | null
  readonly labels: string[] | null
  readonly couriers: { id: string; state: string }[] | null
  readonly taken: { by: string; name: string; n: number; ids: string[] }[] | null
}

const localMethods = deliveryMethods.filter(isLocal)

/**
 * Kept counts, and the start of an index of the active orders: the time does not grow with the orders that are done. A
 * failed label stands as `recordedFailure` of the dashboard says: until one is bought, or the blamed address corrected.
 */
const readAnswer = `select json_build_object(
  'timezone', m.timezone,
  'counts', (select json_agg(json_build_object('tab', tab, 'group', display_group, 'method', delivery_method, 'n', n, 'looks', looks))
    from order_counts where merchant_id = $1 and tab in ('active', 'on_hold') and n > 0),
  'open', (select json_agg(json_build_array(order_id, (extract(epoch from deadline_at) * 1000)::bigint, delivery_method,
      display_group, needs_look) order by deadline_at, order_id)
    from (select * from orders where merchant_id = $1 and tab = 'active' order by deadline_at, order_id limit ${shiftLooksAtMost}) open),
  'labels', (select json_agg(order_id) from (
      select order_id from orders where merchant_id = $1 and tab = 'active' and display_group = 'accepted'
      order by deadline_at, order_id limit ${shiftLooksAtMost}) accepted
    where exists (select from (select version, details::json ->> 'code' as code from order_history
        where merchant_id = $1 and order_id = accepted.order_id and action = 'label_failed' order by version desc limit 1) failure
      where not exists (select from order_history since where since.merchant_id = $1 and since.order_id = accepted.order_id
        and since.version > failure.version and (since.action = 'buy_labels'
          or since.action = 'correct_address' and failure.code = any ($3))))),
  'couriers', (select json_agg(json_build_object('id', order_id, 'state', state)) from (
      select order_id, document::json -> 'courier_info' ->> 'order_status' as state from (
        select order_id, document from orders where merchant_id = $1 and tab = 'active' and delivery_method = any ($2)
          and display_group in ('accepted', 'shipped')
        order by deadline_at, order_id limit ${shiftLooksAtMost}) local) called
    where state in ('ORDER_FAILED', 'ORDER_CANCELLED')),
  'taken', (select json_agg(json_build_object('by', by, 'name', name, 'n', n, 'ids', ids) order by name, by) from (
      select taken_by as by, max(taken::json ->> 'name') as name, count(*)::int as n,
        (array_agg(order_id order by deadline_at, order_id))[1:${shiftNamesAtMost}] as ids
      from (select * from orders where merchant_id = $1 and taken_by is not null
        order by taken_by, deadline_at, order_id limit ${shiftLooksAtMost}) taken
      group by taken_by) clerks))::text as answer
from merchants m where m.merchant_id = $1`

/** What one shift hands over to the next, as it is now. */
export async function getShift(db: Database, merchantId: string): Promise<Shift> {
  return db.read(merchantId, async (statements) => {
    const [row] = await statements.query<{ answer: string }>(readAnswer, [
      merchantId,
      localMethods,
      addressErrors,
    ])
    if (row === undefined) return refuse('not_found')
    const answer = JSON.parse(row.answer) as Answer
    const open = (answer.open ?? []).map(([id, deadlineMs, method, group, needsLook]) => ({
      id,
      deadlineMs,
      method,
      group,
      needsLook,
    }))
    const nowMs = statements.clock.nowMs()
    const ofClass = (due: 'late' | 'soon') =>
      open.filter(
        ({ deadlineMs, method, group }) =>
          dueClassOf({ deadlineAtMs: deadlineMs, method, nowMs }, group) === due,
      )
    const parcels = open.filter(({ group, method }) => group === 'accepted' && !isLocal(method))
    const problems = problemsOf(open, answer)
    const parts = {
      late: ofClass('late'),
      soon: ofClass('soon'),
      waiting_for_label: parcels,
      problems: open.filter(({ id }) => problems.has(id)),
    }
    const { problems: bad, ...others } = parts
    const named = [
      ...Object.values(others).flatMap((orders) => orders.slice(0, shiftNamesAtMost)),
      ...bad.slice(0, shiftProblemsAtMost),
    ]
    const facts = await factsOf(statements, merchantId, named)
    const held = await heldOrders(statements, merchantId)
    const partOf = (
      orders: readonly OpenOrder[],
      { total = orders.length, atMost = shiftNamesAtMost } = {},
    ): ShiftPart => ({
      total,
      orders: orders.slice(0, atMost).map((order) => namedOrder(order, facts, problems)),
    })
    const { counts: kept, taken: byClerk } = answer
    const [counts, taken] = [kept ?? [], byClerk ?? []]
    const sum = (which: (count: (typeof counts)[number]) => boolean) =>
      counts.reduce((total, each) => total + (which(each) ? each.n : 0), 0)
    const isActive = ({ tab }: { tab: string }) => tab === 'active'
    const onHold = sum((each) => !isActive(each))
    const groups = [...new Set(counts.filter(isActive).map(({ group }) => group))]
    return {
      as_of: new Date(nowMs).toISOString(),
      timezone: answer.timezone,
      open: sum(isActive),
      on_hold: onHold,
      groups: groups.map((group) => ({ group, n: sum((each) => isActive(each) && each.group === group) })),
      late: partOf(parts.late),
      soon: partOf(parts.soon),
      waiting_for_label: partOf(parcels, {
        total: sum((each) => isActive(each) && each.group === 'accepted' && !isLocal(each.method)),
      }),
      problems: partOf(bad, { atMost: shiftProblemsAtMost }),
      held: { total: onHold, orders: held },
      clerks: taken.map(({ by, name, n, ids }) => ({ by, name, n, orders: ids })),
      is_cut: open.length === shiftLooksAtMost,
      is_taken_cut: taken.reduce((total, { n }) => total + n, 0) === shiftLooksAtMost,
    }
  })
}

/** Of several problems, the one to act on first. */
function problemsOf(open: readonly OpenOrder[], { labels, couriers }: Answer): Map<string, ShiftProblem> {
  return new Map([
    ...(couriers ?? []).map(
      ({ id, state }) => [id, state === 'ORDER_FAILED' ? 'courier_failed' : 'courier_cancelled'] as const,
    ),
    ...(labels ?? []).map((id) => [id, 'label_failed'] as const),
    ...open.flatMap(({ id, needsLook }) => (needsLook ? [[id, 'needs_look'] as const] : [])),
  ])
}

type Facts = ReadonlyMap<string, { readonly recipient: string; readonly taken_by: string | null }>

async function factsOf(
  { query }: Statements,
  merchantId: string,
  named: readonly OpenOrder[],
): Promise<Facts> {
  const rows = await query<{ order_id: string; recipient: string; taken_by: string | null }>(
    `select order_id, taken::json ->> 'name' as taken_by,
       concat_ws(' ', document::json -> 'recipient' ->> 'first_name', document::json -> 'recipient' ->> 'last_name') as recipient
     from orders where merchant_id = $1 and order_id = any ($2)`,
    [merchantId, [...new Set(named.map(({ id }) => id))]],
  )
  return new Map(rows.map((row) => [row.order_id, row]))
}

function namedOrder(
  { id, deadlineMs, method, group }: OpenOrder,
  facts: Facts,
  problems: ReadonlyMap<string, ShiftProblem>,
): ShiftOrder {
  return {
    id,
    recipient: facts.get(id)?.recipient ?? '',
    method,
    group,
    deadline_at: new Date(deadlineMs).toISOString(),
    taken_by: facts.get(id)?.taken_by ?? null,
    problem: problems.get(id) ?? null,
  }
}
