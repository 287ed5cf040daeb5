import { toCents, toDollars } from '../values/money.ts'
import type { OwnLine } from './order-lines.ts'

/** Every screen, paper and rule reads an order's engravings here and nowhere else. */

/** The part of a line, as it goes over the wire, that an engraving is read from. */
export interface EngravedItem {
  readonly name: string
  readonly description: string | null
  readonly quantity: number
  readonly price: number
  readonly subtotal: number
  readonly discount: number
  readonly aux_data: { readonly engraving_message?: readonly string[] } | null
  readonly offering?: { readonly merchant_sku: string | null } | null
}

/** One text and the number of pieces that carry it. */
export interface EngravedText {
  /** Empty when no text came with the piece. */
  readonly lines: readonly string[]
  readonly quantity: number
  /** Unit price times quantity; null where the text is part of the bottle's own price. */
  readonly fee: number | null
}

export interface Engraving {
  readonly name: string
  readonly description: string
  readonly sku: string
  /** The line's own figures; null where the text is part of the bottle's own price. */
  readonly quantity: number
  readonly price: number | null
  readonly subtotal: number | null
  readonly discount: number
  readonly texts: readonly EngravedText[]
}

/**
 * The engravings of an own line. Identical texts are one text with their quantity (VIEW-021, VIEW-022), and lines that
 * differ in their quantity alone are one engraving.
 */
export function engravingsOf({ item, engravings }: OwnLine<EngravedItem>): Engraving[] {
  const found: Engraving[] = hasMessages(item) ? [ownText(item)] : []
  for (const line of engravings) {
    const engraving = toEngraving(line)
    const same = found.findIndex((other) => isAlike(other, engraving))
    const other = found[same]
    if (other === undefined) found.push(engraving)
    else found[same] = joined(other, engraving)
  }
  return found
}

/** Whether the text's row already says everything that the engraving's own row would say. */
export function isOneText({ texts, quantity, subtotal }: Engraving): boolean {
  const [text] = texts
  return texts.length === 1 && text?.quantity === quantity && text.fee === subtotal
}

/** Something that belongs to a line and has no text to engrave, such as gift wrap. */
export function isAddition({ name, texts }: Engraving): boolean {
  return name !== 'Engraving' && texts.every(({ lines }) => lines.length === 0)
}

interface Worded {
  readonly aux_data?: { readonly engraving_message?: readonly string[] | null } | null | undefined
}

/** Whether there is anything to engrave. A bottle can bring its text itself, without a line that charges for it. */
export function hasMessages({ aux_data }: Worded): boolean {
  return (aux_data?.engraving_message ?? []).some((message) => message.trim() !== '')
}

/** Why messages do not fit an engraving's quantity; undefined when they do. */
export function engravingProblem(
  item: Worded & { readonly name: string; readonly quantity: number },
): string | undefined {
  const count = item.aux_data?.engraving_message?.length ?? 0
  if (count === 0 && item.name.trim().toLowerCase() !== 'engraving') return undefined
  if (hasMessages(item) && (count === 1 || count === item.quantity)) return undefined
  return 'An engraving has one message, or as many as its quantity'
}

function ownText(item: EngravedItem): Engraving {
  const texts = textsOf(item).map((text) => ({ ...text, fee: null }))
  const quantity = texts.reduce((sum, text) => sum + text.quantity, 0)
  return { ...blank, name: 'Engraving', quantity, texts }
}

const blank = { description: '', sku: '', price: null, subtotal: null, discount: 0 }

function toEngraving(item: EngravedItem): Engraving {
  const texts = textsOf(item)
  const missing = item.quantity - texts.reduce((sum, text) => sum + text.quantity, 0)
  return {
    name: item.name.toLowerCase() === 'engraving' ? 'Engraving' : item.name,
    description: item.description ?? '',
    sku: item.offering?.merchant_sku ?? '',
    quantity: item.quantity,
    price: item.price,
    subtotal: item.subtotal,
    discount: item.discount,
    // Before we counted messages, an order could bring too few.
    texts: missing > 0 ? [...texts, { lines: [], quantity: missing, fee: feeOf(item, missing) }] : texts,
  }
}

function textsOf(item: EngravedItem): EngravedText[] {
  const messages = messagesOf(item)
  const quantities = new Map<string, number>()
  for (const message of messages) {
    const text = message.replaceAll(/\r\n?/g, '\n').trim()
    const each = messages.length > 1 ? 1 : item.quantity
    quantities.set(text, (quantities.get(text) ?? 0) + each)
  }
  return [...quantities].map(([text, quantity]) => ({
    lines: text === '' ? [] : text.split('\n'),
    quantity,
    fee: feeOf(item, quantity),
  }))
}

function messagesOf(item: EngravedItem): readonly string[] {
  return hasMessages(item) ? (item.aux_data?.engraving_message ?? []) : []
}

function feeOf({ price }: EngravedItem, quantity: number): number {
  return inCents(price * quantity)
}

function inCents(amount: number): number {
  return toDollars(toCents(amount))
}

function isAlike(a: Engraving, b: Engraving): boolean {
  const key = ({ name, description, sku, price, texts }: Engraving) =>
    JSON.stringify([name, description, sku, price, texts.map(({ lines }) => lines)])
  return a.texts.length === 1 && b.texts.length === 1 && key(a) === key(b)
}

function joined(a: Engraving, b: Engraving): Engraving {
  const add = (x: number | null, y: number | null): number | null =>
    x === null || y === null ? null : inCents(x + y)
  return {
    ...a,
    quantity: a.quantity + b.quantity,
    subtotal: add(a.subtotal, b.subtotal),
    discount: inCents(a.discount + b.discount),
    texts: a.texts.map((text, index) => ({
      ...text,
      quantity: text.quantity + (b.texts[index]?.quantity ?? 0),
      fee: add(text.fee, b.texts[index]?.fee ?? 0),
    })),
  }
}
