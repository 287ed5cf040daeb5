import type { Report } from '#documents/public.ts'
import type { StoredOrder } from '#orders/public.ts'
import { totalOf, type Months, type SaleSums } from './sales/months.ts'
import { lastDayOf, type Period } from './sales/period.ts'
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
  readonly unchecked: StoredOrder[]
  readonly refusals: (readonly string[])[]
  readonly overrides: (readonly string[])[]
  readonly proofs: (readonly string[])[]
}

/** What the records beside the sales come to. */
export interface Sums {
  refusals: number
  overrides: number
  proofs: number
  pictures: number
}

export function emptySums(): Sums {
  return { refusals: 0, overrides: 0, proofs: 0, pictures: 0 }
}

interface Inspection {
  readonly shop: Shop
  readonly period: Period
  readonly spans: readonly RuleSpan[]
  readonly sums: Sums
  readonly months: Months
  readonly listed: Listed
  readonly madeAt: Date
}

const notes = [
  'A sale is an order with alcohol that left the shop, or whose bottles were at a door, by the day of the order. Times in the CSV files are UTC; here they are those of the shop.',
  'The rules are research, not legal advice. A rule counts once an owner of the shop has confirmed it.',
  'This archive also holds sales.csv (one line for each bottle line), refusals.csv, proofs.csv (what courier services sent of their deliveries; the pictures themselves are at the desk, in the order’s history), id-fields.csv (what a rule made the shop record of IDs), overrides.csv, rules.csv (each rule with the moments between which it stood like that) and purged.csv (what a rule had removed: kinds and orders).',
]

export function inspectionReport({ shop, period, spans, sums, months, listed, madeAt }: Inspection): Report {
  const { from, endMs, timezone } = period
  const moment = createMoments(timezone)
  const total = totalOf(months.all().values())
  const isForPaper = total.sales <= listedAtMost
  const fact = (name: string, value: number) => ({ name, value: figure(value) })
  return {
    title: 'Inspector’s file',
    shop,
    summary: `Orders from ${from} to ${lastDayOf(endMs, timezone)} (${timezone}), made ${moment(madeAt)}`,
    madeAt,
    facts: [
      [
        fact('Sales', total.sales),
        fact('Bottles and packs', total.bottles),
        fact('Litres, where known', Math.round(total.millilitres / 1000)),
        fact('Signed for', total.signed),
      ],
      [
        fact('ID checked', total.passed),
        fact('Closed locally, no check', total.unchecked),
        fact('Not handed over', sums.refusals),
        fact('Owners’ decisions', sums.overrides),
      ],
      [fact('Couriers’ proofs', sums.proofs), fact('Of them with a picture', sums.pictures)],
    ],
    notes,
    tables: [
      {
        title: 'Sales by month',
        ...noteOf(total.sales),
        columns: monthColumns,
        rows: [...months.all()].map(([month, sold]) => monthRow(month, sold)),
      },
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
        title: 'Closed locally without an ID check',
        ...noteOf(total.unchecked, 'sales.csv'),
        columns: uncheckedColumns,
        rows: listed.unchecked.map((order) => uncheckedRow(order, moment)),
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
        ...(isForPaper ? noteOf(total.sales) : { note: tooMany(total.sales) }),
        columns: saleColumns,
        rows: isForPaper ? listed.sales.map((order) => saleRow(order, moment)) : [],
      },
    ],
  }
}

/** With a file that has all rows of a table that is cut. */
function noteOf(count: number, file?: string): { note?: string } {
  if (count === 0) return { note: 'None in these days.' }
  return file !== undefined && count > listedAtMost
    ? { note: `The first ${listedAtMost} of ${figure(count)}; ${file} has all of them.` }
    : {}
}

/** The beginning of a long list tells a reader less than its sums and its exceptions, which stand above. */
function tooMany(sales: number): string {
  return `${figure(sales)} sales are too many for paper: sales.csv has each of them, with its ID check and signature.`
}

function figure(value: number): string {
  return value.toLocaleString('en-US')
}

const monthColumns = [
  { name: 'Month', width: 0 },
  { name: 'Sales', width: 56 },
  { name: 'Bottles and packs', width: 88 },
  { name: 'Litres', width: 56 },
  { name: 'ID checked', width: 64 },
  { name: 'Local, no check', width: 76 },
  { name: 'Signed for', width: 56 },
]
const uncheckedColumns = [
  { name: 'Order', width: 52 },
  { name: 'Submitted', width: 72 },
  { name: 'Recipient', width: 0 },
  { name: 'Signed by', width: 76 },
  { name: 'Delivered', width: 72 },
  { name: 'Rules not done', width: 120 },
]
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

function monthRow(month: string, sold: Readonly<SaleSums>): string[] {
  const litres = Math.round(sold.millilitres / 1000)
  return [month, ...[sold.sales, sold.bottles, litres, sold.passed, sold.unchecked, sold.signed].map(figure)]
}

function uncheckedRow(order: StoredOrder, moment: Moment): string[] {
  const [id = '', submitted = '', , recipient = '', , signedBy = '', delivered = ''] = saleRow(order, moment)
  const rules = order.duties?.missing?.map(({ rule }) => rule).join(' ') ?? ''
  return [id, submitted, recipient, signedBy, delivered, rules]
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
