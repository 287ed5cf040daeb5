import { displayGroupLabels } from '@cellarhand/contract/labels'
import { displayGroups, type DisplayGroup, type Tab } from '@cellarhand/contract/order-lifecycle'
import type { Statements } from '#platform/db/database.ts'
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

export async function readCounts(statements: Statements, merchantId: string): Promise<CountRow[]> {
  return statements.query<CountRow>(
    `select c.tab, c.display_group, c.delivery_method, c.application_ref, a.name as application_name, c.n
     from order_counts c left join applications a using (merchant_id, application_ref)
     where c.merchant_id = $1 and c.n > 0`,
    [merchantId],
  )
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
        .toSorted((a, b) => a.name.localeCompare(b.name)),
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
