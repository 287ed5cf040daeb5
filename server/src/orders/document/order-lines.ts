import { readContainerSize } from '@cellarhand/contract/container-size'
import type { NewLineItem, NewTransaction } from '@cellarhand/contract/marketplace'
import { isWholeCents, toCents } from '@cellarhand/contract/money'
import { discountOf, feesOf, linesOf } from '@cellarhand/contract/discounts'
import { engravingProblem, hasMessages } from '@cellarhand/contract/engravings'
import { isRealDay } from '#platform/clock/zoned-time.ts'
import type { BottleFacts } from '#inventory/public.ts'
import type { StoredOrder } from './stored-order.ts'

type Problems = Record<string, string>

/**
 * Of all texts of an order's lines together: 20 times what the longest known orders have. Each field's own limit, two
 * hundred times over, would be 850,000, and a slip of it keeps a processor busy for four seconds.
 */
const longestTexts = 100_000

/** Each line's own facts: unique ids, real dates, engravings that point at a line of the same order and have their messages. */
export function itemProblems(items: readonly NewLineItem[]): Problems {
  const problems: Problems = {}
  if (lengthOfTexts(items) > longestTexts)
    problems['items'] = `All texts of the lines together must have at most ${longestTexts} characters`
  const ids = new Set<string>()
  const parents = new Set(items.filter((item) => !item.parent_line_item_id).map((item) => item.id))
  for (const [index, item] of items.entries()) {
    if (ids.has(item.id)) problems[`items.${index}.id`] = 'Another line has this id already'
    ids.add(item.id)
    if (item.parent_line_item_id && !parents.has(item.parent_line_item_id)) {
      problems[`items.${index}.parent_line_item_id`] = 'Must be the id of a line of this order'
    }
    const day = item.aux_data?.preorder_available_date
    if (day && !isRealDay(day))
      problems[`items.${index}.aux_data.preorder_available_date`] = 'Is not a real date'
    const misfit = item.parent_line_item_id || hasMessages(item) ? engravingProblem(item) : undefined
    if (misfit) problems[`items.${index}.aux_data.engraving_message`] = misfit
  }
  return problems
}

function lengthOfTexts(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOfTexts(part), 0)
}

/** Amounts add up to the cent. A discount may be taken off inside a line's subtotal, or only in the sums. */
export function amountProblems(items: readonly NewLineItem[], transaction: NewTransaction): Problems {
  const problems: Problems = {}
  const isInLines = discountOf({ items, transaction }).place === 'lines'
  for (const [index, item] of items.entries()) {
    const gross = toCents(item.price) * item.quantity
    const discount = toCents(item.discount ?? 0)
    for (const field of ['price', 'subtotal', 'discount'] as const) {
      if (!isWholeCents(item[field] ?? 0))
        problems[`items.${index}.${field}`] = 'Must have at most 2 decimals'
    }
    if (discount > gross) problems[`items.${index}.discount`] = 'Must not be more than price times quantity'
    if (toCents(item.subtotal) !== (isInLines ? gross - discount : gross)) {
      problems[`items.${index}.subtotal`] =
        'Must be price times quantity, with the discount taken off on all lines or on none'
    }
  }
  for (const [name, amount] of Object.entries(transaction)) {
    if (!isWholeCents(amount ?? 0)) problems[`transaction.${name}`] = 'Must have at most 2 decimals'
  }
  if (Object.keys(problems).length > 0) return problems
  return sumProblems(items, transaction)
}

function sumProblems(items: readonly NewLineItem[], transaction: NewTransaction): Problems {
  const { place, cents } = discountOf({ items, transaction })
  const subtotal = toCents(transaction.subtotal)
  if (subtotal !== linesOf({ items }) - (place === 'subtotal' ? cents : 0))
    return { 'transaction.subtotal': "Must be the sum of the lines' subtotals" }
  const isTaken = place === 'lines' || place === 'subtotal'
  if (toCents(transaction.total) !== subtotal + feesOf({ transaction }) - (isTaken ? 0 : cents)) {
    const sum = 'Must be the sum of subtotal, tax, delivery_fee, shipping and tip'
    return { 'transaction.total': isTaken ? sum : `${sum}, less discounts that are not taken off before` }
  }
  return {}
}

type FactsOf = (offering: NonNullable<NewLineItem['offering']>) => BottleFacts

/** A line that does not say what is in its bottles takes it from the stock list. */
export function toLineItems(items: readonly NewLineItem[], factsOf: FactsOf): StoredOrder['items'] {
  return items.map((item) => ({
    id: item.id,
    name: item.name,
    description: item.description ?? null,
    quantity: item.quantity,
    price: item.price,
    subtotal: item.subtotal,
    discount: item.discount ?? 0,
    image_spec: item.image_spec ?? null,
    product: item.product
      ? { id: item.product.id, container_size: item.product.container_size ?? null }
      : null,
    offering: item.offering
      ? {
          id: item.offering.id,
          merchant_sku: item.offering.merchant_sku ?? null,
          stock_behaviour: item.offering.stock_behaviour ?? null,
        }
      : null,
    aux_data: item.aux_data
      ? {
          engraving_message: item.aux_data.engraving_message ?? [],
          preorder_type: item.aux_data.preorder_type ?? null,
          preorder_available_date: item.aux_data.preorder_available_date ?? null,
          preorder_balance_due_excl_taxes_fees: item.aux_data.preorder_balance_due_excl_taxes_fees ?? null,
        }
      : null,
    parent_line_item_id: item.parent_line_item_id ?? null,
    ...bottleFacts(item, item.offering ? factsOf(item.offering) : {}),
  }))
}

function bottleFacts(item: NewLineItem, listed: BottleFacts): BottleFacts {
  // No rule asks about a line of the class none. Where one of both says alcohol, it is alcohol.
  const [said, own] = [item.beverage_class ?? undefined, listed.beverage_class]
  const beverageClass = said === undefined || said === 'none' ? (own ?? said) : said
  const abv = item.abv ?? listed.abv
  // The rules read the line's own container before they ask for its volume.
  const hasSize = readContainerSize(item.product?.container_size ?? '') !== undefined
  const volume = item.volume_ml ?? (hasSize ? undefined : listed.volume_ml)
  return {
    ...(beverageClass === undefined ? {} : { beverage_class: beverageClass }),
    ...(abv === undefined ? {} : { abv }),
    ...(volume === undefined ? {} : { volume_ml: volume }),
  }
}

export function toTransaction(transaction: NewTransaction): StoredOrder['transaction'] {
  return {
    subtotal: transaction.subtotal,
    tax: transaction.tax ?? 0,
    delivery_fee: transaction.delivery_fee ?? 0,
    shipping: transaction.shipping ?? 0,
    tip: transaction.tip ?? 0,
    total: transaction.total,
  }
}
