import type { StreamEvents } from '@cellarhand/contract/events'
import { displayGroupLabels, methodFilterLabel } from '@cellarhand/contract/labels'
import {
  deliveryMethods,
  displayGroups,
  type DeliveryMethod,
  type DisplayGroup,
  type Tab,
} from '@cellarhand/contract/order-statuses'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { LiveState } from '../live/state-looks.ts'
import { noApplication } from '../document/write-order.ts'

/** The number of orders of one kind; a merchant has some dozens of these rows, for any number of orders. */
export interface CountRow {
  readonly tab: Tab
  readonly display_group: DisplayGroup
  readonly delivery_method: string
  readonly application_ref: string
  readonly application_name: string | null
  readonly n: number
  /** How many of them need a look. */
  readonly looks: number
}

/** The merchant, and a sum that grows with each change of any of its orders. */
export const scopeWithChanges = `scope cross join lateral (
  select coalesce(sum(c.changes), 0)::bigint as changes from order_counts c where c.merchant_id = scope.merchant_id
) state`

/** A page's data besides its rows, as one value of a statement from `scopeWithChanges`. */
export const summaryAsJson = `(
  select json_build_object('timezone', m.timezone,
    'due', (
      select json_build_array(o.order_id, (extract(epoch from o.deadline_at) * 1000)::bigint, o.delivery_method) from orders o
      where o.merchant_id = scope.merchant_id and o.tab = 'active' and o.display_group <> 'shipped'
      order by o.deadline_at limit 1),
    'changes', state.changes)::text
  from merchants m where m.merchant_id = scope.merchant_id)`

export interface MerchantCounts {
  readonly changes: number
  readonly timezone: string
  /** The method decides how soon a deadline counts as near. */
  readonly nextDeadline: NonNullable<StreamEvents['counts']['next_deadline']> | null
  readonly rows: readonly CountRow[]
  /** Of the orders that need a look alone. */
  readonly lookRows: readonly CountRow[]
  /** The filters of the lists that were asked for at these counts. */
  readonly filters: Map<string, AvailableFilters>
}

type KnownRows = Pick<MerchantCounts, 'changes' | 'rows' | 'lookRows' | 'filters'>

/** The counts of each merchant; this process keeps them until they change. */
export interface OrderCounts {
  /** The counts behind a summary. They are read only when their sum of changes has grown. */
  of(merchantId: string, summary: string | null | undefined): Promise<MerchantCounts>
  read(merchantId: string): Promise<MerchantCounts>
}

const knownMerchants = 1_000

export function createOrderCounts(db: Database): OrderCounts {
  const known = new Map<string, KnownRows>()

  async function of(merchantId: string, summary: string | null | undefined): Promise<MerchantCounts> {
    if (summary == null) return refuse('not_found')
    const { timezone, due, changes } = JSON.parse(summary) as {
      timezone: string
      due: [string, number, DeliveryMethod] | null
      changes: number
    }
    const nextDeadline =
      due === null
        ? null
        : { id: due[0], deadline_at: new Date(due[1]).toISOString(), delivery_method: due[2] }
    let counts = known.get(merchantId)
    if (counts?.changes !== changes) {
      counts = await readCountRows(db, merchantId)
      if (known.size >= knownMerchants) known.clear()
      known.set(merchantId, counts)
    }
    const { rows, lookRows, filters } = counts
    return { changes, timezone, nextDeadline, rows, lookRows, filters }
  }

  return {
    of,
    async read(merchantId) {
      const [row] = await db.glance<{ summary: string | null }>(
        merchantId,
        `select ${summaryAsJson} as summary from ${scopeWithChanges}`,
      )
      return of(merchantId, row?.summary)
    },
  }
}

async function readCountRows(db: Database, merchantId: string): Promise<KnownRows> {
  const rows = await db.glance<CountRow & { changes: number }>(
    merchantId,
    `select count.* from scope cross join lateral (
       select c.tab, c.display_group, c.delivery_method, c.application_ref, a.name as application_name, c.n, c.looks, c.changes
       from order_counts c
       left join applications a on a.merchant_id = c.merchant_id and a.application_ref = c.application_ref
       where c.merchant_id = scope.merchant_id
       order by c.tab, c.display_group, c.delivery_method, c.application_ref
     ) count`,
  )
  return {
    changes: rows.reduce((sum, row) => sum + row.changes, 0),
    rows: rows.filter((row) => row.n > 0),
    lookRows: lookRowsOf(rows),
    filters: new Map(),
  }
}

/** The same of the orders that need a look alone. */
export function lookRowsOf(rows: readonly CountRow[]): CountRow[] {
  return rows.flatMap((row) => (row.looks > 0 ? [{ ...row, n: row.looks }] : []))
}

export function rowsFor({ rows, lookRows }: MerchantCounts, { needsLook }: CountFilter): readonly CountRow[] {
  return needsLook ? lookRows : rows
}

export function countPerTab(rows: readonly CountRow[]): Record<Tab, number> {
  const counts = { active: 0, on_hold: 0, completed: 0, cancelled: 0 }
  for (const row of rows) counts[row.tab] += row.n
  return counts
}

export interface CountFilter {
  readonly tab: Tab | undefined
  readonly groups: readonly string[] | undefined
  readonly method: string | undefined
  readonly application: string | undefined
  readonly needsLook?: boolean
}

export function countMatching(rows: readonly CountRow[], filter: CountFilter): number {
  let total = 0
  for (const row of rows) {
    if (filter.tab !== undefined && row.tab !== filter.tab) continue
    if (filter.groups !== undefined && !filter.groups.includes(row.display_group)) continue
    if (filter.method !== undefined && row.delivery_method !== filter.method) continue
    if (filter.application !== undefined && row.application_ref !== filter.application) continue
    total += row.n
  }
  return total
}

const collator = new Intl.Collator('en')

type AvailableFilters = ReturnType<typeof availableFilters>

/**
 * The useful filters of a tab, each with the number of orders that it would leave with the other filters set. The chosen
 * application is there without an order too: its name is among all rows of the merchant.
 */
export function availableFilters(
  rows: readonly CountRow[],
  filter: CountFilter,
  all: readonly CountRow[] = rows,
) {
  const inTab = rows.filter((row) => filter.tab === undefined || row.tab === filter.tab)
  const chosen = all.find((row) => row.application_ref === filter.application)
  const applications = new Map<string, string>()
  for (const row of chosen === undefined ? inTab : [...inTab, chosen]) {
    if (row.application_ref !== noApplication)
      applications.set(row.application_ref, row.application_name ?? row.application_ref)
  }
  const groups = displayGroups.filter((group) => inTab.some((row) => row.display_group === group))
  return {
    application_ref: {
      options: [...applications]
        .map(([uuid, name]) => ({ name, uuid, count: countMatching(rows, { ...filter, application: uuid }) }))
        .toSorted((a, b) => collator.compare(a.name, b.name)),
    },
    status: {
      options: groups.map((group) => ({
        name: displayGroupLabels[group],
        value: group,
        count: countMatching(rows, { ...filter, groups: [group] }),
      })),
    },
    delivery_method: {
      options: methodsIn(inTab).map((method) => ({
        name: methodFilterLabel(method),
        value: method,
        count: countMatching(rows, { ...filter, method }),
      })),
    },
  }
}

/** The known methods in their usual sequence, then any others. */
function methodsIn(rows: readonly CountRow[]): string[] {
  const present = new Set(rows.map((row) => row.delivery_method))
  const others = [...present].filter((method) => !deliveryMethods.some((known) => known === method))
  return [...deliveryMethods.filter((method) => present.has(method)), ...others.toSorted()]
}

/** Counts and the next deadline, for open screens. */
export function countState(counts: OrderCounts): LiveState {
  return {
    name: 'counts',
    followsOrders: true,
    lookAgainMs: undefined,
    async read(merchantIds) {
      const texts = merchantIds.map(async (merchantId) => {
        const { rows, nextDeadline } = await counts.read(merchantId)
        const told: StreamEvents['counts'] = { ...countPerTab(rows), next_deadline: nextDeadline }
        return [merchantId, JSON.stringify(told)] as const
      })
      return new Map(await Promise.all(texts))
    },
  }
}
