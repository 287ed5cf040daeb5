import { isLocal } from '@cellarhand/contract/order-statuses'
import type { LineItem } from '@cellarhand/contract/orders'
import type { StoredOrder } from '#orders/public.ts'
import { dayIn } from '#platform/clock/zoned-time.ts'
import { millilitresOf } from './csv.ts'
import { periodOf } from './period.ts'

export interface SaleSums {
  sales: number
  bottles: number
  millilitres: number
  passed: number
  unchecked: number
  signed: number
}

interface Sale {
  readonly order: StoredOrder
  readonly submittedMs: number
  /** With alcohol. */
  readonly lines: readonly LineItem[]
}

/** The sums of each month in the shop's zone, YYYY-MM. */
export interface Months {
  count(sale: Sale): void
  /** The sums of other sales. */
  add(others: Iterable<readonly [month: string, sums: Readonly<SaleSums>]>): void
  all(): ReadonlyMap<string, Readonly<SaleSums>>
}

export function createMonths(timezone: string): Months {
  const months = new Map<string, SaleSums>()
  // Sales come in their sequence, and most are of the same day: the zone is asked once for each.
  let day = { fromMs: 0, endMs: 0, sums: emptySaleSums() }
  const dayOf = (ms: number) => {
    const name = dayIn(ms, timezone)
    const { fromMs, endMs } = periodOf({ from: name, to: name }, timezone)
    const sums = months.get(name.slice(0, 7)) ?? emptySaleSums()
    months.set(name.slice(0, 7), sums)
    return { fromMs, endMs, sums }
  }
  return {
    count(sale) {
      const { submittedMs: ms } = sale
      if (ms < day.fromMs || ms >= day.endMs) day = dayOf(ms)
      countSale(day.sums, sale)
    },
    add(others) {
      for (const [month, more] of others) {
        const sums = months.get(month) ?? emptySaleSums()
        addTo(sums, more)
        months.set(month, sums)
      }
    },
    all: () => months,
  }
}

function emptySaleSums(): SaleSums {
  return { sales: 0, bottles: 0, millilitres: 0, passed: 0, unchecked: 0, signed: 0 }
}

function countSale(sums: SaleSums, { order, lines }: Sale): void {
  sums.sales += 1
  if (order.age_check?.result === 'passed') sums.passed += 1
  else if (isUnchecked(order)) sums.unchecked += 1
  if (order.delivery_info?.signed_by) sums.signed += 1
  for (const line of lines) {
    sums.bottles += line.quantity
    sums.millilitres += line.quantity * (millilitresOf(line) ?? 0)
  }
}

/** Handed over by the shop or a courier, without an ID check on record. */
export function isUnchecked({ status, delivery, age_check: check }: StoredOrder): boolean {
  return status === 'CLOSED' && isLocal(delivery.method) && check?.result !== 'passed'
}

export function totalOf(months: Iterable<Readonly<SaleSums>>): SaleSums {
  const total = emptySaleSums()
  for (const month of months) addTo(total, month)
  return total
}

function addTo(total: SaleSums, more: Readonly<SaleSums>): void {
  for (const name of Object.keys(total) as (keyof SaleSums)[]) total[name] += more[name]
}
