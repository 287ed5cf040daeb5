import { toCents, toDollars } from '../../values/money.ts'
import { hasMessages } from '../engravings.ts'
import type { OwnLine } from '../order-lines.ts'
import type { LineItem } from '../orders.ts'

/** A line in two: the pieces that are there, and those that are missing. Prices of the own line are the caller's. */
export interface SplitLine {
  readonly kept: OwnLine<LineItem>
  readonly moved: OwnLine<LineItem>
}

/**
 * Splits engravings and additions with the pieces that they belong to. Where fewer bottles are engraved than ordered,
 * the engraved ones stay as long as there are enough bottles, and each message goes with its bottle.
 */
export function splitBelongings({ item, engravings }: OwnLine<LineItem>, there: number): SplitLine {
  const all = item.quantity
  const engraved = engravings.filter((part) => isEngraving(part))
  const pieces = engraved.reduce((sum, part) => sum + part.quantity, 0)
  let room = keptOf(pieces, there, all)
  const kept: LineItem[] = []
  const moved: LineItem[] = []
  for (const part of engravings) {
    const stays = isEngraving(part) ? Math.min(part.quantity, room) : keptOf(part.quantity, there, all)
    if (isEngraving(part)) room -= stays
    const [here, gone] = splitPart(part, stays)
    if (here.quantity > 0) kept.push(here)
    if (gone.quantity > 0) moved.push(gone)
  }
  const [here, gone] = splitMessages(item, there)
  const presale = presaleOf(item, there)
  return {
    kept: { item: { ...item, aux_data: here && { ...here, ...presale } }, engravings: kept },
    // The other bottle is in the store: nobody waits for its release.
    moved: {
      item: { ...item, aux_data: gone && hasWords(gone) ? { ...gone, ...noPresale } : null },
      engravings: moved,
    },
  }
}

function isEngraving(part: LineItem): boolean {
  return hasMessages(part) || part.name.trim().toLowerCase() === 'engraving'
}

/** Of `count` belongings on `all` pieces, so many stay on the pieces that are there. */
function keptOf(count: number, there: number, all: number): number {
  return count <= all ? Math.min(count, there) : Math.ceil((count * there) / all)
}

function splitPart(part: LineItem, stays: number): [LineItem, LineItem] {
  const [here, gone] = splitMessages(part, stays)
  const cents = toCents(part.discount)
  const share = Math.ceil((cents * stays) / part.quantity)
  return [
    { ...part, quantity: stays, aux_data: here, discount: toDollars(share) },
    { ...part, quantity: part.quantity - stays, aux_data: gone, discount: toDollars(cents - share) },
  ]
}

type Aux = LineItem['aux_data']

/** One message is on every piece; otherwise each piece has its own. */
function splitMessages({ aux_data: aux, quantity }: LineItem, stays: number): [Aux, Aux] {
  const messages = aux?.engraving_message ?? []
  if (aux === null || messages.length <= 1 || stays === 0 || stays === quantity) return [aux, aux]
  return [
    { ...aux, engraving_message: messages.slice(0, stays) },
    { ...aux, engraving_message: messages.slice(stays) },
  ]
}

function hasWords(aux: NonNullable<Aux>): boolean {
  return hasMessages({ aux_data: aux })
}

const noPresale = {
  preorder_type: null,
  preorder_available_date: null,
  preorder_balance_due_excl_taxes_fees: null,
}

/** The presale of the pieces that come later. */
function presaleOf({ aux_data: aux, quantity }: LineItem, there: number) {
  const balance = aux?.preorder_balance_due_excl_taxes_fees
  if (balance == null) return {}
  return {
    preorder_balance_due_excl_taxes_fees: toDollars(Math.floor((toCents(balance) * there) / quantity)),
  }
}
