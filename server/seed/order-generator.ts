import type { NewLineItem, NewOrder } from '@cellarhand/contract/marketplace'
import { isLocal, type DeliveryMethod } from '@cellarhand/contract/order-statuses'
import { toCents, toDollars } from '@cellarhand/contract/money'
import { fromWallTime, toWallTime } from '#platform/clock/zoned-time.ts'
import { pickLocalPlace, pickPerson, pickPlaceAnywhere, type Place } from './customers.ts'
import type { Random } from './random.ts'
import { stockOf, type StockLine } from './stock-list.ts'
import {
  applications,
  deliveryNotes,
  engravings,
  giftMessages,
  promoCodes,
  type Application,
} from './words.ts'

export interface OrderWish {
  readonly merchantKey: string
  readonly timezone: string
  readonly reference: string
  readonly submittedAt: Date
  readonly method: DeliveryMethod
  /** End of a scheduled order's window; by default tomorrow evening. */
  readonly windowEndsAt?: Date | undefined
  /** The moment at which the presale's product arrives. */
  readonly presaleReadyAt?: Date | undefined
  readonly minLines?: number | undefined
  /** Chance fills the missing fields. */
  readonly isEngraved?: boolean | undefined
  readonly isGift?: boolean | undefined
  readonly isDiscounted?: boolean | undefined
  readonly isHeavy?: boolean | undefined
  readonly hasCourier?: boolean | undefined
  readonly place?: Place | undefined
  readonly phone?: null | undefined
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const windowMs = 2 * hourMs
const engravingCents = 1_500
const areaCodes: Readonly<Record<string, string>> = { demo: '212', other: '415' }
const taxRates: Readonly<Record<string, number>> = { demo: 0.08875, other: 0.08625 }

/** An order as a marketplace sends it: its amounts add up, and its lines come from the merchant's stock. */
export function generateOrder(random: Random, wish: OrderWish): NewOrder {
  const areaCode = areaCodes[wish.merchantKey] ?? '646'
  const application = pickApplication(random)
  const customer = pickPerson(random, areaCode)
  const isGift = wish.isGift ?? random.chance(0.18)
  const receiver = isGift ? pickPerson(random, areaCode) : customer
  const local = isLocal(wish.method)
  const place = wish.place ?? (local ? pickLocalPlace(random, wish.merchantKey) : pickPlaceAnywhere(random))
  const lines = generateLines(random, wish, application)
  const items = lines.flatMap((line) => line.items)
  return {
    merchant: wish.merchantKey,
    thirstie_logistic_order_ref: wish.reference,
    date_submitted: wish.submittedAt.toISOString(),
    application_name: application.name,
    application_brand_name: application.brand,
    application_ref: application.ref,
    delivery: deliveryOf(wish),
    recipient: {
      first_name: receiver.first_name,
      last_name: receiver.last_name,
      ...place,
      country: 'US',
      phone_number: wish.phone === null ? null : receiver.phone_number,
      delivery_instructions: random.chance(local ? 0.5 : 0.2) ? random.pick(deliveryNotes) : null,
    },
    customer: {
      ...customer,
      last_order: random.chance(0.45)
        ? new Date(wish.submittedAt.getTime() - random.between(9, 400) * dayMs).toISOString()
        : null,
    },
    gift_message: isGift ? { message: random.pick(giftMessages) } : null,
    promo_code: random.chance(wish.isDiscounted === true ? 0.8 : 0.12) ? random.pick(promoCodes) : null,
    courier_estimate_id: wish.hasCourier === true ? `est_${random.digits(12)}` : null,
    transaction: sumUp(random, items, wish),
    order_weight: Math.round(lines.reduce((sum, line) => sum + line.pounds, 0) * 10) / 10,
    items,
  }
}

function pickApplication(random: Random): Application {
  const tickets = applications.flatMap((application) =>
    Array<Application>(application.weight).fill(application),
  )
  return random.pick(tickets)
}

function deliveryOf({ method, windowEndsAt, submittedAt, timezone }: OrderWish): NewOrder['delivery'] {
  const dayOf = (at: Date) => {
    const { year, month, day } = toWallTime(at.getTime(), timezone)
    return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
  }
  if (method === 'on_demand') return { method, date: dayOf(submittedAt), window: null }
  if (method !== 'scheduled') return { method, date: null, window: null }
  const end = windowEndsAt ?? tomorrowEvening(submittedAt, timezone)
  const start = new Date(end.getTime() - windowMs)
  return { method, date: dayOf(start), window: [start.toISOString(), end.toISOString()] }
}

function tomorrowEvening(at: Date, timezone: string): Date {
  const wall = toWallTime(at.getTime() + dayMs, timezone)
  return new Date(fromWallTime({ ...wall, hour: 19, minute: 0, second: 0 }, timezone))
}

interface GeneratedLine {
  readonly items: NewLineItem[]
  readonly pounds: number
}

function generateLines(random: Random, wish: OrderWish, application: Application): GeneratedLine[] {
  const stock = stockOf(wish.merchantKey).filter((line) => line.isActive)
  const ofTheBrand = stock.filter((line) => line.product.brand === application.brand)
  const count =
    wish.presaleReadyAt === undefined ? Math.max(random.pick([1, 1, 1, 2, 2, 3, 4]), wish.minLines ?? 1) : 1
  const first = ofTheBrand.length > 0 && random.chance(0.7) ? random.sample(ofTheBrand, 1) : []
  const rest = stock.filter((line) => !first.includes(line))
  const chosen = [...first, ...random.sample(rest, count - first.length)]
  return chosen.map((line, index) => generateLine(random, wish, { line, number: index + 1 }))
}

function generateLine(
  random: Random,
  wish: OrderWish,
  { line, number }: { line: StockLine; number: number },
): GeneratedLine {
  const { product, size } = line
  const isLarge = poundsOf(size, product.kind) > 10
  const quantity = isLarge
    ? random.pick([1, 1, 2])
    : random.pick(wish.isHeavy === true ? [12, 18, 24] : [1, 1, 1, 1, 2, 2, 3, 6])
  const gross = line.priceCents * quantity
  const hasDiscount = number === 1 && (wish.isDiscounted ?? random.chance(0.1))
  const discount = hasDiscount ? Math.round(gross * random.pick([0.05, 0.1, 0.15])) : 0
  const item: NewLineItem = {
    id: `line-${number}`,
    name: `${product.brand} ${product.name}`,
    description: product.description,
    quantity,
    price: toDollars(line.priceCents),
    subtotal: toDollars(gross - discount),
    discount: toDollars(discount),
    image_spec: `/images/bottles/${product.kind}-${line.priceCents % 9}-{dims}.svg`,
    product: { id: line.productId, container_size: size },
    offering: { id: line.offeringId, merchant_sku: line.sku, stock_behaviour: line.stockBehavior },
    aux_data: presaleOf(wish, gross),
    parent_line_item_id: null,
  }
  const isEngravable = ['red', 'sparkling', 'whiskey', 'gin', 'tequila', 'rum'].includes(product.kind)
  const isEngraved = number === 1 && (wish.isEngraved ?? (isEngravable && random.chance(0.15)))
  return {
    items: isEngraved ? [item, engravingOf(random, item)] : [item],
    pounds: poundsOf(size, product.kind) * quantity,
  }
}

function presaleOf(
  { method, presaleReadyAt }: OrderWish,
  cents: number,
): NonNullable<NewLineItem['aux_data']> | null {
  if (presaleReadyAt === undefined) return null
  return {
    engraving_message: [],
    preorder_type: method === 'deposit' ? 'deposit' : 'preorder',
    preorder_available_date: presaleReadyAt.toISOString().slice(0, 10),
    preorder_balance_due_excl_taxes_fees: method === 'deposit' ? toDollars(Math.round(cents * 0.8)) : null,
  }
}

/** One message per bottle: sometimes all the same, sometimes each its own. */
function engravingOf(random: Random, parent: NewLineItem): NewLineItem {
  const quantity = Math.min(parent.quantity, 6)
  const usual = random.pick(engravings)
  const messages = Array.from({ length: quantity }, () =>
    random.chance(0.7) ? usual : random.pick(engravings),
  )
  return {
    id: `${parent.id}-engraving`,
    name: 'engraving',
    description: 'Engraved by hand',
    quantity,
    price: toDollars(engravingCents),
    subtotal: toDollars(engravingCents * quantity),
    discount: 0,
    image_spec: null,
    product: null,
    offering: null,
    aux_data: { engraving_message: messages },
    parent_line_item_id: parent.id,
  }
}

function sumUp(random: Random, items: readonly NewLineItem[], wish: OrderWish): NewOrder['transaction'] {
  const local = isLocal(wish.method)
  const subtotal = items.reduce((sum, item) => sum + toCents(item.subtotal), 0)
  const tax = Math.round(subtotal * (taxRates[wish.merchantKey] ?? 0.07))
  const deliveryFee = local ? random.pick([0, 599, 799, 1_200]) : 0
  const shipping = local ? 0 : random.pick([0, 1_295, 1_495, 2_495])
  const tip = local ? random.pick([0, 300, 500, Math.round(subtotal * 0.15)]) : 0
  return {
    subtotal: toDollars(subtotal),
    tax: toDollars(tax),
    delivery_fee: toDollars(deliveryFee),
    shipping: toDollars(shipping),
    tip: toDollars(tip),
    total: toDollars(subtotal + tax + deliveryFee + shipping + tip),
  }
}

const litresPer: Readonly<Record<string, number>> = { mL: 0.001, L: 1, oz: 0.0296 }

/** The rough weight of a bottle or pack with its glass or tin and its share of the box. */
function poundsOf(size: string, kind: string): number {
  const [, pack = '1', amount = '0.75', unit = 'L'] = /^(?:(\d+) x )?([\d.]+) (mL|L|oz)$/.exec(size) ?? []
  const litres = Number(pack) * Number(amount) * (litresPer[unit] ?? 1)
  return litres * (kind === 'can' ? 2.5 : 4)
}
