import { isLocal } from '@cellarhand/contract/order-statuses'
import type { LineItem } from '@cellarhand/contract/orders'
import type { Report } from '#documents/public.ts'
import type { StoredOrder } from '#orders/public.ts'
import { millilitresOf } from './csv.ts'
import { lastDayOf, type Period } from './period.ts'
import type { RuleSpan } from './rules-in-force.ts'

export interface Shop {
  readonly name: string
  readonly addressLines: readonly string[]
  readonly timezone: string
}

/** Nobody reads a table of thousands of rows on paper: the CSV files hold all of them. */
export const listedAtMost = 500

export interface Listed {
  readonly sales: StoredOrder[]
  readonly refusals: (readonly string[])[]
  readonly overrides: (readonly string[])[]
  readonly proofs: (readonly string[])[]
}

export interface Sums {
  sales: number
  bottles: number
  millilitres: number
  passed: number
  unchecked: number
  signed: number
  refusals: number
  overrides: number
  proofs: number
  pictures: number
}

export function emptySums(): Sums {
  return {
    sales: 0,
    bottles: 0,
    millilitres: 0,
    passed: 0,
    unchecked: 0,
    signed: 0,
    refusals: 0,
    overrides: 0,
    proofs: 0,
    pictures: 0,
  }
}

export function countSale(
  sums: Sums,
  { status, delivery, age_check: check, delivery_info: info }: StoredOrder,
  lines: readonly LineItem[],
): void {
  sums.sales += 1
  if (check?.result === 'passed') sums.passed += 1
  else if (status === 'CLOSED' && isLocal(delivery.method)) sums.unchecked += 1
  if (info?.signed_by) sums.signed += 1
  for (const line of lines) {
    sums.bottles += line.quantity
    sums.millilitres += line.quantity * (millilitresOf(line) ?? 0)
  }
}

interface Inspection {
  readonly shop: Shop
  readonly period: Period
  readonly spans: readonly RuleSpan[]
  readonly sums: Sums
  readonly listed: Listed
  readonly madeAt: Date
}

const notes = [
  'A sale is an order with alcohol that left the shop, or whose bottles were at a door, by the day of the order. Times in the CSV files are UTC; here they are those of the shop.',
  'The rules are research, not legal advice. A rule counts once an owner of the shop has confirmed it.',
  'This archive also holds sales.csv (one line for each bottle line), refusals.csv, proofs.csv (what courier services sent of their deliveries; the pictures themselves are at the desk, in the order’s history), id-fields.csv (what a rule made the shop record of IDs), overrides.csv, rules.csv (each rule with the moments between which it stood like that) and purged.csv (what a rule had removed: kinds and orders).',
]

export function inspectionReport({ shop, period, spans, sums, listed, madeAt }: Inspection): Report {
  const { from, endMs, timezone } = period
  const moment = createMoments(timezone)
  const fact = (name: string, value: number) => ({ name, value: value.toLocaleString('en-US') })
  return {
    title: 'Inspector’s file',
    shop,
    summary: `Orders from ${from} to ${lastDayOf(endMs, timezone)} (${timezone}), made ${moment(madeAt)}`,
    madeAt,
    facts: [
      [
        fact('Sales', sums.sales),
        fact('Bottles and packs', sums.bottles),
        fact('Litres, where known', Math.round(sums.millilitres / 1000)),
        fact('Signed for', sums.signed),
      ],
      [
        fact('ID checked', sums.passed),
        fact('Closed locally, no check', sums.unchecked),
        fact('Not handed over', sums.refusals),
        fact('Owners’ decisions', sums.overrides),
      ],
      [fact('Couriers’ proofs', sums.proofs), fact('Of them with a picture', sums.pictures)],
    ],
    notes,
    tables: [
      {
        title: 'Rules',
        ...noteOf(spans.length, 'rules.csv'),
        columns: ruleColumns,
        rows: spans.slice(0, listedAtMost).map((span) => ruleRow(span, moment)),
      },
      {
        title: 'Not handed over',
        ...noteOf(sums.refusals, 'refusals.csv'),
        columns: refusalColumns,
        rows: listed.refusals.map(([at = '', ...rest]) => [
          moment(at),
          ...rest.filter((_, index) => index !== 3),
        ]),
      },
      {
        title: 'Proofs of couriers',
        ...noteOf(sums.proofs, 'proofs.csv'),
        columns: proofColumns,
        rows: listed.proofs.map(([order = '', at = '', ...rest]) => [order, moment(at), ...rest]),
      },
      {
        title: 'Decisions of owners',
        ...noteOf(sums.overrides, 'overrides.csv'),
        columns: overrideColumns,
        rows: listed.overrides.map(([at = '', ...rest]) => [moment(at), ...rest.slice(0, 5)]),
      },
      {
        title: 'Sales',
        ...noteOf(sums.sales, 'sales.csv'),
        columns: saleColumns,
        rows: listed.sales.map((order) => saleRow(order, moment)),
      },
    ],
  }
}

function noteOf(count: number, file: string): { note?: string } {
  if (count === 0) return { note: 'None in these days.' }
  const all = count.toLocaleString('en-US')
  return count > listedAtMost ? { note: `The first ${listedAtMost} of ${all}; ${file} has all of them.` } : {}
}

const ruleColumns = [
  { name: 'Rule', width: 84 },
  { name: 'From', width: 62 },
  { name: 'Until', width: 62 },
  { name: 'Stood', width: 40 },
  { name: 'Words', width: 0 },
  { name: 'Decided by', width: 80 },
]
const refusalColumns = [
  { name: 'At', width: 72 },
  { name: 'Order', width: 52 },
  { name: 'Result', width: 60 },
  { name: 'Reason', width: 70 },
  { name: 'By', width: 80 },
  { name: 'Comment', width: 0 },
]
const proofColumns = [
  { name: 'Order', width: 62 },
  { name: 'Delivered', width: 82 },
  { name: 'By', width: 80 },
  { name: 'Signed by', width: 0 },
  { name: 'ID check', width: 80 },
  { name: 'Signature', width: 80 },
]
const overrideColumns = [
  { name: 'At', width: 72 },
  { name: 'What', width: 78 },
  { name: 'Rule', width: 84 },
  { name: 'Order', width: 52 },
  { name: 'By', width: 80 },
  { name: 'Reason', width: 0 },
]
const saleColumns = [
  { name: 'Order', width: 52 },
  { name: 'Submitted', width: 72 },
  { name: 'Status', width: 66 },
  { name: 'Recipient', width: 0 },
  { name: 'ID check', width: 86 },
  { name: 'Signed by', width: 76 },
  { name: 'Delivered', width: 72 },
]

type Moment = (at: Date | string | number) => string

function ruleRow({ rule, fromMs, endMs, stood, decision }: RuleSpan, moment: Moment): string[] {
  return [rule.id, moment(fromMs), moment(endMs), stood, rule.words, decision?.by ?? '']
}

function saleRow(order: StoredOrder, moment: Moment): string[] {
  const { recipient, age_check: check, delivery_info: info } = order
  return [
    order.id,
    moment(order.date_submitted),
    order.status.toLowerCase().replaceAll('_', ' '),
    `${recipient.first_name} ${recipient.last_name}, ${recipient.city} ${recipient.state}`,
    check === undefined ? '' : `${check.result}, ${check.checked_by}`,
    info?.signed_by ?? '',
    info?.delivered_on ? moment(info.delivered_on) : '',
  ]
}

/** "2026-11-23 14:05", in the shop's zone. Making a format takes longer than writing a row. */
function createMoments(timeZone: string): Moment {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (at) => format.format(new Date(at))
}
