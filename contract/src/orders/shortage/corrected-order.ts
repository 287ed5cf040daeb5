import { toCents, toDollars } from '../../values/money.ts'
import { discountOf, feesOf, linesOf, type DiscountPlace } from '../discounts.ts'
import { splitBelongings } from './split-belongings.ts'
import { ownLines, type OwnLine } from '../order-lines.ts'
import type { LineItem, Order } from '../orders.ts'

/**
 * An order without its missing pieces, with other bottles in their place where the customer takes some. Whole cents
 * throughout: what leaves the lines leaves the sums, and nothing else does.
 */

export type Priced = Pick<Order, 'items' | 'transaction'>

/** The bottle that takes the place of missing pieces. */
export interface Replacement {
  /** The new line's id, which no other line of the order has. */
  readonly id: string
  readonly priceCents: number
  readonly line: Pick<LineItem, 'name' | 'description' | 'image_spec' | 'product' | 'offering'> &
    Partial<Pick<LineItem, 'beverage_class' | 'abv' | 'volume_ml'>>
}

export interface Correction {
  readonly missing: number
  readonly replacement?: Replacement | undefined
}

/** `corrections` has the ids of own lines. A line that loses all its pieces goes, with all that belongs to it. */
export function correctOrder(order: Priced, corrections: ReadonlyMap<string, Correction>): Priced {
  const { place } = discountOf(order)
  const items = ownLines(order).flatMap((line) => {
    const correction = corrections.get(line.item.id)
    return correction === undefined
      ? [line.item, ...line.engravings]
      : correctLine(line, { correction, place })
  })
  return { items, transaction: correctSums(order, items, place) }
}

function correctLine(
  line: OwnLine<LineItem>,
  { correction, place }: { correction: Correction; place: DiscountPlace },
): LineItem[] {
  const { item } = line
  const missing = Math.max(0, Math.min(correction.missing, item.quantity))
  const there = item.quantity - missing
  const discounts = shareOf(toCents(item.discount), there, item.quantity)
  const { kept, moved } = splitBelongings(line, there)
  const rest: LineItem[] = []
  if (there > 0) {
    rest.push(
      priced(kept.item, {
        quantity: there,
        priceCents: toCents(item.price),
        discount: discounts.kept,
        place,
      }),
      ...kept.engravings.map((part) => pricedPart(part, place)),
    )
  }
  const { replacement } = correction
  if (replacement === undefined || missing === 0) return rest
  const { id, line: facts, priceCents } = replacement
  const bottle: LineItem = {
    ...facts,
    id,
    quantity: missing,
    price: 0,
    subtotal: 0,
    discount: 0,
    aux_data: moved.item.aux_data,
    parent_line_item_id: null,
  }
  return [
    ...rest,
    priced(bottle, { quantity: missing, priceCents, discount: discounts.moved, place }),
    ...moved.engravings.map((part, index) => ({
      ...pricedPart(part, place),
      id: `${id}-${index + 1}`,
      parent_line_item_id: id,
    })),
  ]
}

interface Part {
  readonly quantity: number
  readonly priceCents: number
  /** In cents; never more than the pieces cost. */
  readonly discount: number
  readonly place: DiscountPlace
}

function priced(item: LineItem, { quantity, priceCents, discount, place }: Part): LineItem {
  const gross = priceCents * quantity
  const taken = Math.min(discount, gross)
  return {
    ...item,
    quantity,
    price: toDollars(priceCents),
    discount: toDollars(taken),
    subtotal: toDollars(place === 'lines' ? gross - taken : gross),
  }
}

/** A part of an engraving, whose discount is split already. */
function pricedPart(item: LineItem, place: DiscountPlace): LineItem {
  const { quantity, price, discount } = item
  return priced(item, { quantity, priceCents: toCents(price), discount: toCents(discount), place })
}

/** The kept pieces take the odd cent of a discount, which favours the customer. */
export function shareOf(cents: number, kept: number, all: number): { kept: number; moved: number } {
  const share = all === 0 ? 0 : Math.ceil((cents * kept) / all)
  return { kept: share, moved: cents - share }
}

function correctSums(before: Priced, items: LineItem[], place: DiscountPlace): Priced['transaction'] {
  const discount = items.reduce((sum, item) => sum + toCents(item.discount), 0)
  const subtotal = linesOf({ items }) - (place === 'subtotal' ? discount : 0)
  const tax = taxOn(before.transaction, subtotal)
  const fees = feesOf({ transaction: { ...before.transaction, tax: toDollars(tax) } })
  return {
    ...before.transaction,
    subtotal: toDollars(subtotal),
    tax: toDollars(tax),
    total: toDollars(subtotal + fees - (place === 'total' ? discount : 0)),
  }
}

/** The order's own rate, a part of a cent dropped. The marketplace, which owes the tax, may say another sum. */
function taxOn(before: Priced['transaction'], subtotal: number): number {
  const [tax, taxed] = [toCents(before.tax), toCents(before.subtotal)]
  if (taxed === 0 || subtotal === taxed) return tax
  return Number((BigInt(tax) * BigInt(subtotal)) / BigInt(taxed))
}

/** In cents: what the customer gets back, or pays more when it is below 0. */
export function refundOf(before: Priced, after: Priced): number {
  return toCents(before.transaction.total) - toCents(after.transaction.total)
}
