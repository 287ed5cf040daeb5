import {
  dueCountedAtMost,
  ownNamesAtMost,
  queueNamesAtMost,
  slipsCountedAtMost,
  takenCountedAtMost,
  type Queue,
} from '@cellarhand/contract/live'
import { dueClasses, warningsMs, type DueClass } from '@cellarhand/contract/on-track'
import { allowedTransitions, type OrderAction } from '@cellarhand/contract/order-lifecycle'
import { deliveryMethods, isLocal } from '@cellarhand/contract/order-statuses'
import { dayIn } from '#platform/clock/zoned-time.ts'
import type { Database } from '#platform/db/database.ts'
import type { LiveState } from '../live/state-looks.ts'
import type { StoredOrder } from '../document/stored-order.ts'
import {
  countMatching,
  lookRowsOf,
  type CountFilter,
  type CountRow,
  type MerchantCounts,
  type OrderCounts,
} from './order-counts.ts'

/** What the clock makes of a merchant's active orders, until `untilMs` or until one of them changes. */
export interface KnownQueue extends Pick<Required<Queue>, 'decide' | 'do' | 'taken' | 'clerks'> {
  readonly changes: number
  readonly untilMs: number
  readonly due: Readonly<Record<DueClass, readonly CountRow[]>>
  /** The orders without a printed slip. */
  readonly slips: readonly CountRow[]
  /** The taken orders of the active tab, by the id of the clerk who has them. */
  readonly takenBy: ReadonlyMap<string, readonly CountRow[]>
}

export interface OrderQueues {
  of(merchantId: string, at: Pick<MerchantCounts, 'changes' | 'timezone' | 'rows'>): Promise<KnownQueue>
}

const knownMerchants = 1_000
/** A presale may ship from its day on, which no deadline tells. */
const longestMs = 15 * 60_000
const localMethods = deliveryMethods.filter(isLocal)
/** What takes an accepted order out of the shop. */
const onward: readonly OrderAction[] = ['buy_labels', 'save_tracking', 'request_courier', 'send_out']

/** In the words of their index. A driver has the slips of the orders that are on their way. */
export const withoutSlip = `tab = 'active' and display_group <> 'shipped' and not has_slip`

/** The condition of a class, in the words of `dueClassOf`. */
export function dueCondition(due: DueClass, nowMs: number, bind: (value: unknown) => string): string {
  const after = (ms: number) => bind(new Date(nowMs + ms))
  const here = `tab = 'active' and display_group <> 'shipped' and deadline_at`
  if (due === 'late') return `${here} < ${after(0)}`
  return `${here} >= ${after(0)} and deadline_at <= ${after(warningsMs.carrier)}
    and (deadline_at <= ${after(warningsMs.local)} or delivery_method <> all (${bind(localMethods)}))`
}

export function createOrderQueues(db: Database): OrderQueues {
  const known = new Map<string, KnownQueue>()
  return {
    async of(merchantId, { changes, timezone, rows }) {
      const before = known.get(merchantId)
      const nowMs = db.clock.nowMs()
      if (before?.changes === changes && nowMs < before.untilMs) return before
      const names = new Map(rows.map((row) => [row.application_ref, row.application_name]))
      const queue = await readQueue(db, { merchantId, changes, timezone, nowMs, names })
      if (known.size >= knownMerchants) known.clear()
      known.set(merchantId, queue)
      return queue
    },
  }
}

interface Asked {
  readonly merchantId: string
  readonly changes: number
  readonly timezone: string
  readonly nowMs: number
  /** Of the applications, by their references. */
  readonly names: ReadonlyMap<string, string | null>
}

type Counted = Omit<CountRow, 'tab' | 'application_name'>

/** An order that comes next, and the clerk who alone goes on with it. */
interface Named {
  readonly id: string
  readonly by: string | null
}

interface Answer {
  readonly due: (Counted & { readonly class: DueClass })[] | null
  readonly taken: (Counted & { readonly by: string; readonly name: string })[] | null
  readonly slips: Counted[] | null
  readonly decide: Named[] | null
  readonly accepted: (Named & { readonly document: StoredOrder })[] | null
  readonly until_ms: number | null
}

/** Each part is the start of a range of an index, so its time does not grow with the orders. */
async function readQueue(db: Database, asked: Asked): Promise<KnownQueue> {
  const { merchantId, changes, timezone, nowMs, names } = asked
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value) + 1}`
  const ofClass = (
    due: DueClass,
  ) => `(select '${due}' as class, display_group, delivery_method, application_ref, needs_look
    from orders where merchant_id = scope.merchant_id and ${dueCondition(due, nowMs, bind)}
    order by deadline_at limit ${dueCountedAtMost})`
  const looks = 'count(*) filter (where needs_look) as looks'
  const now = bind(new Date(nowMs))
  const today = dayIn(nowMs, timezone)
  const isReady = `and leaves_from <= ${bind(today)}::date`
  const ofGroup = (group: string) =>
    `from orders where merchant_id = scope.merchant_id and tab = 'active' and display_group = '${group}' and not needs_look
      ${group === 'accepted' ? isReady : ''}`
  // A late order is everybody's again: the clerk who took it may have gone home.
  const firstOf = (
    group: string,
    what = '',
  ) => `(select order_id, deadline_at, null as by${what} ${ofGroup(group)}
      and (taken_by is null or deadline_at < ${now})
    order by deadline_at, order_id limit ${queueNamesAtMost})
    union all (select order_id, deadline_at, taken_by${what} from (
      select *, row_number() over (partition by taken_by order by deadline_at, order_id) as place
      ${ofGroup(group)} and taken_by is not null and deadline_at >= ${now}) own where place <= ${ownNamesAtMost})`
  const next = (what = '') =>
    `json_agg(json_build_object('id', order_id, 'by', by${what}) order by deadline_at, order_id)`
  const moments = [0, warningsMs.local, warningsMs.carrier].map((ms) => firstAfter(ms, nowMs, bind))
  const [row] = await db.glance<{ answer: string }>(
    merchantId,
    `select json_build_object(
       'due', (select json_agg(counted) from (
         select class, display_group, delivery_method, application_ref, count(*) as n, ${looks}
         from (${dueClasses.map(ofClass).join(' union all ')}) due group by 1, 2, 3, 4) counted),
       'taken', (select json_agg(counted) from (
         select taken_by as by, max(taken::json ->> 'name') as name, display_group, delivery_method, application_ref, count(*) as n, ${looks}
         from (select * from orders where merchant_id = scope.merchant_id and taken_by is not null and tab = 'active'
           limit ${takenCountedAtMost}) taken group by 1, 3, 4, 5) counted),
       'slips', (select json_agg(counted) from (
         select display_group, delivery_method, application_ref, count(*) as n, ${looks}
         from (select * from orders where merchant_id = scope.merchant_id and ${withoutSlip}
           limit ${slipsCountedAtMost}) unprinted group by 1, 2, 3) counted),
       'decide', (select ${next()} from (${firstOf('new')} union all ${firstOf('printed')}) first),
       'accepted', (select ${next(`, 'document', document::json`)} from (${firstOf('accepted', ', document')}) first),
       'until_ms', (extract(epoch from least(${moments.join(', ')})) * 1000)::bigint)::text as answer
     from scope`,
    values,
  )
  const answer = JSON.parse(row?.answer ?? '{}') as Partial<Answer>
  const named = <R extends Counted>(row: R) => ({
    ...row,
    tab: 'active' as const,
    application_name: names.get(row.application_ref) ?? null,
  })
  const rows = (answer.due ?? []).map(named)
  const taken = (answer.taken ?? []).map(named)
  const takenBy = Map.groupBy(taken, ({ by }) => by)
  const canGoOn = (order: StoredOrder) => {
    const actions = allowedTransitions(order, 'merchant', today).map(({ action }) => action)
    // What a courier is on the way for waits for the courier, and no clerk.
    return !actions.includes('cancel_courier') && actions.some((action) => onward.includes(action))
  }
  const decide = answer.decide ?? []
  const work = (answer.accepted ?? []).filter(({ document }) => canGoOn(document))
  return {
    changes,
    untilMs: Math.min(nowMs + longestMs, answer.until_ms ?? Infinity),
    due: {
      late: rows.filter((each) => each.class === 'late'),
      soon: rows.filter((each) => each.class === 'soon'),
    },
    slips: (answer.slips ?? []).map(named),
    takenBy,
    decide: decide.map(({ id }) => id),
    do: work.map(({ id }) => id),
    taken: [...decide, ...work].flatMap(({ id, by }) => (by === null ? [] : [{ id, by }])),
    clerks: [...takenBy].map(([by, own]) => ({ by, name: own[0]?.name ?? '', n: sumOf(own) })),
  }
}

/**
 * The first moment from now on at which an order comes within this time of its deadline. It may have the other warning
 * time: then the counts are read again and are the same.
 */
function firstAfter(ms: number, nowMs: number, bind: (value: unknown) => string): string {
  const from = bind(new Date(nowMs + ms))
  const reached = ms === 0 ? `deadline_at >= ${from}` : `deadline_at > ${from}`
  // An order is late a moment after its deadline.
  const shift = ms === 0 ? `+ interval '1 ms'` : `- interval '${ms} ms'`
  return `(select deadline_at ${shift} from orders where merchant_id = scope.merchant_id and tab = 'active'
    and display_group <> 'shipped' and ${reached} order by deadline_at limit 1)`
}

function sumOf(rows: readonly CountRow[]): number {
  return rows.reduce((sum, { n }) => sum + n, 0)
}

const undecidedGroups: readonly string[] = ['new', 'printed']

/** How many of the orders nobody has accepted or rejected; one that a rule holds cannot be accepted. */
export function countUndecided(rows: readonly CountRow[], filter: CountFilter): number {
  const groups = undecidedGroups.filter((group) => filter.groups?.includes(group) ?? true)
  const shown = { ...filter, groups }
  return countMatching(rows, shown) - countMatching(lookRowsOf(rows), shown)
}

const wholeTab: CountFilter = { tab: 'active', groups: undefined, method: undefined, application: undefined }

export async function getQueue(
  { counts, queues }: { counts: OrderCounts; queues: OrderQueues },
  merchantId: string,
): Promise<{ told: Queue; untilMs: number }> {
  const known = await counts.read(merchantId)
  const { decide, do: work, due, taken, clerks, slips, untilMs } = await queues.of(merchantId, known)
  const missing = sumOf(slips)
  const undecided = countUndecided(known.rows, wholeTab)
  const looks = sumOf(known.lookRows.filter(({ tab }) => tab === 'active'))
  const told = {
    late: sumOf(due.late),
    soon: sumOf(due.soon),
    decide,
    do: work,
    ...(undecided > 0 && { undecided }),
    ...(looks > 0 && { needs_a_look: looks }),
    ...(missing > 0 && { slips: missing }),
    ...(clerks.length > 0 && { taken, clerks }),
  }
  return { told, untilMs }
}

/** Told when an order changes, and at the moment at which the clock alone changes it. */
export function queueState(lists: { counts: OrderCounts; queues: OrderQueues }): LiveState {
  return {
    name: 'queue',
    followsOrders: true,
    lookAgainMs: undefined,
    async read(merchantIds, changesAt) {
      const texts = merchantIds.map(async (merchantId) => {
        const { told, untilMs } = await getQueue(lists, merchantId)
        changesAt?.(merchantId, untilMs)
        return [merchantId, JSON.stringify(told)] as const
      })
      return new Map(await Promise.all(texts))
    },
  }
}
