import { displayGroupLabels } from '@cellarhand/contract/labels'
import { displayGroups, type DisplayGroup, type Tab } from '@cellarhand/contract/order-lifecycle'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { noApplication } from './write-order.ts'

/** So many orders of one kind; a merchant has some dozens of these rows, whatever the number of orders. */
export interface CountRow {
  readonly tab: Tab
  readonly display_group: DisplayGroup
  readonly delivery_method: string
  readonly application_ref: string
  readonly application_name: string | null
  readonly n: number
}

/** What a page needs beside its rows, as one value: the counts, the time zone and the order that is due first. */
export const countsAsJson = `
  select json_build_object('timezone', m.timezone, 'due', (
    select json_build_array(o.order_id, (extract(epoch from o.deadline_at) * 1000)::bigint) from orders o
    where o.merchant_id = m.merchant_id and o.tab = 'active' and o.display_group <> 'shipped'
    order by o.deadline_at limit 1), 'counts', coalesce((
    select json_agg(json_build_array(c.tab, c.display_group, c.delivery_method, c.application_ref, a.name, c.n)
      order by c.tab, c.display_group, c.delivery_method, c.application_ref)
    from order_counts c left join applications a on a.merchant_id = c.merchant_id and a.application_ref = c.application_ref
    where c.merchant_id = m.merchant_id and c.n > 0), '[]'::json))::text
  from merchants m where m.merchant_id = $1`

export interface MerchantCounts {
  readonly timezone: string
  readonly nextDeadline: { readonly id: string; readonly deadline_at: string } | null
  readonly rows: readonly CountRow[]
}

const lastParsed = new Map<string, { text: string; counts: MerchantCounts }>()
const parsedMerchants = 1_000

/** Counts change far less often than they are read, so the same text is not taken apart twice. */
export function parseCounts(merchantId: string, text: string): MerchantCounts {
  const known = lastParsed.get(merchantId)
  if (known?.text === text) return known.counts
  const { timezone, due, counts } = JSON.parse(text) as {
    timezone: string
    due: [string, number] | null
    counts: [Tab, DisplayGroup, string, string, string | null, number][]
  }
  const rows = counts.map(([tab, display_group, delivery_method, application_ref, application_name, n]) => ({
    tab,
    display_group,
    delivery_method,
    application_ref,
    application_name,
    n,
  }))
  if (lastParsed.size >= parsedMerchants) lastParsed.clear()
  const nextDeadline = due === null ? null : { id: due[0], deadline_at: new Date(due[1]).toISOString() }
  const parsed = { timezone, nextDeadline, rows }
  lastParsed.set(merchantId, { text, counts: parsed })
  return parsed
}

export async function readCounts(db: Database, merchantId: string): Promise<MerchantCounts> {
  const [row] = await db.glance<{ counts: string | null }>(
    merchantId,
    `select (${countsAsJson.replace('$1', 'scope.merchant_id')}) as counts from scope`,
  )
  return row?.counts == null ? refuse('not_found') : parseCounts(merchantId, row.counts)
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

/** The filters that make sense in a tab, each with the orders it would leave when the other filters stay. */
export function availableFilters(rows: readonly CountRow[], filter: CountFilter) {
  const inTab = rows.filter((row) => filter.tab === undefined || row.tab === filter.tab)
  const applications = new Map<string, string>()
  for (const row of inTab) {
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
  }
}
