import { isBinding } from '@cellarhand/contract/agreed-order'
import { missingByLine } from '@cellarhand/contract/missing-pieces'
import { formatDollars, toCents, toDollars } from '@cellarhand/contract/money'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { LineItem } from '@cellarhand/contract/orders'
import { isValidUsPhone, usDigits } from '@cellarhand/contract/phone'
import type { Substitute, SubstituteOffer } from '@cellarhand/contract/substitute-fields'
import { findBottles, type ListedBottle } from '#inventory/public.ts'
import { lockOrder, requireSeen, standing, type LockedOrder, type MerchantStep } from '#orders/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { writeOffer } from '../change-offers.ts'
import { newOfferId } from '../links.ts'
import { getSettings } from '../reads.ts'
import { resumingProblem } from '../resumable.ts'
import { letterOf, offeredWords } from '../words.ts'

export interface CustomerMessages {
  readonly stationery: Stationery
  /** Refuses without a known address of the server. */
  readonly linkOf: (offerId: string) => string
  readonly digestOf: (offerId: string) => string
}

interface Wish {
  readonly line_id: string
  readonly offerings: readonly string[]
  readonly by: SubstituteOffer['by']
}

/** Asks the customer about missing pieces of a line. The order stays on hold. */
export async function offerSubstitutes(
  statements: Statements,
  { actor, seenVersion, messages, ...key }: MerchantStep & { readonly messages: CustomerMessages },
  wish: Wish,
): Promise<string> {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, { locked, seenVersion })
  const { order } = locked
  const nowMs = statements.clock.nowMs()
  const now = () => ({ body: standing(locked, null, nowMs) })
  if (order.status !== 'REJECTED_PARTIAL') refuse('invalid_transition', now())
  const standingOffer = order.substitutes?.offers.find(({ line_id: line }) => line === wish.line_id)
  if (standingOffer && isBinding(standingOffer)) refuse('substitutes_offered', now())
  const [offered, { minutes, silence }] = await Promise.all([
    substitutesFor(statements, key.merchantId, { locked, wish }),
    getSettings(statements, key.merchantId),
  ])
  const offer: SubstituteOffer = {
    id: newOfferId(),
    ...offered,
    by: wish.by,
    until: new Date(nowMs + minutes * 60_000).toISOString(),
    silence,
    state: 'offered',
    choice: null,
    ended_at: null,
  }
  refuseInvalid(
    Object.fromEntries(
      offer.offered.map(({ offering_id: id }, place) => [
        `offerings.${place}`,
        resumingProblem(order, offer, id),
      ]),
    ),
  )
  await requireFew(statements, key.merchantId, key.orderId)
  await tell(statements, { ...key, messages }, { locked, offer })
  const [first, second] = offer.offered.map(({ line, price }) => `${line.name}, ${formatDollars(price)}`)
  return writeOffer(statements, key.merchantId, {
    locked,
    offer,
    action: 'offer_substitutes',
    actor,
    comment: offeredWords(offer, { ...locked, nowMs }),
    details: {
      pieces: `${offer.missing} × ${offer.name}`,
      first,
      ...(second !== undefined && { second }),
      by: wish.by,
    },
  })
}

interface Wanted {
  readonly locked: LockedOrder
  readonly wish: Wish
}

async function substitutesFor(
  statements: Statements,
  merchantId: string,
  { locked: { order }, wish }: Wanted,
): Promise<Pick<SubstituteOffer, 'line_id' | 'name' | 'missing' | 'offered'>> {
  const missing = missingByLine(order).get(wish.line_id)
  const item = ownLines(order).find((line) => line.item.id === wish.line_id)?.item
  if (item === undefined || missing === undefined)
    return refuse('validation_failed', {
      errors: { line_id: 'No piece of this line is reported as missing' },
    })
  const bottles = await findBottles(statements, merchantId, wish.offerings)
  const [first, second] = wish.offerings
  const isOther = wish.offerings.every((id) => id !== item.offering?.id)
  refuseInvalid({
    offerings:
      first === second
        ? 'Offer two different bottles'
        : isOther
          ? undefined
          : 'Offer another bottle than the ordered one',
  })
  const offered = wish.offerings.map((id, place) => {
    const bottle = bottles.get(id)
    if (bottle?.isActive !== true || bottle.name === null)
      return refuse('validation_failed', {
        errors: { [`offerings.${place}`]: 'Must be an active offering of the shop that has a name' },
      })
    refuseInvalid({ [`offerings.${place}`]: tooFewWords(bottle, missing) })
    return substituteOf(bottle, item)
  })
  return { line_id: item.id, name: item.name, missing, offered }
}

/** The list that the clerk chose from may be older than the stock list. */
function tooFewWords({ name, quantity }: ListedBottle, missing: number): string | undefined {
  if (quantity >= missing) return undefined
  const wanted = missing === 1 ? '1 is missing' : `${missing} are missing`
  return `The stock list has ${Math.max(0, quantity)} × ${name}, and ${wanted}. Offer another bottle.`
}

function substituteOf(bottle: ListedBottle, ordered: LineItem): Substitute {
  const { id, name, priceCents, productId, containerSize, merchantSku, stockBehavior, facts } = bottle
  return {
    offering_id: id,
    price: toDollars(priceCents),
    difference: toDollars(priceCents - toCents(ordered.price)),
    line: {
      name: name ?? '',
      description: null,
      image_spec: null,
      product: productId === null ? null : { id: productId, container_size: containerSize },
      offering: { id, merchant_sku: merchantSku, stock_behaviour: stockBehavior },
      ...facts,
    },
  }
}

interface Telling {
  readonly merchantId: string
  readonly orderId: string
  readonly messages: CustomerMessages
}

/** So that a phone or a mailbox is not flooded by a clerk who offers and withdraws, or by a stolen session. */
const ofOrderPerDay = 12
const ofShopPerDay = 400

async function requireFew({ query }: Statements, merchantId: string, orderId: string): Promise<void> {
  const [made] = await query<{ wait: number | null }>(
    `select ceil(extract(epoch from greatest(
         case when count(*) filter (where order_id = $2) >= $3 then min(created_at) filter (where order_id = $2) end,
         case when count(*) >= $4 then min(created_at) end
       ) + interval '1 day' - now()))::int as wait
     from substitute_offers where merchant_id = $1 and created_at > now() - interval '1 day'`,
    [merchantId, orderId, ofOrderPerDay, ofShopPerDay],
  )
  if (typeof made?.wait === 'number')
    refuse('too_many_requests', { retryAfterSeconds: Math.max(1, made.wait) })
}

/** A mail is promised here. A text is sent by a worker, which asks a service outside the transaction. */
async function tell(
  statements: Statements,
  { merchantId, orderId, messages }: Telling,
  { locked, offer }: { locked: LockedOrder; offer: SubstituteOffer },
): Promise<void> {
  const { phone_number: phone, email } = locked.order.customer
  const digits = phone !== null && isValidUsPhone(phone) ? usDigits(phone) : undefined
  const isMail = offer.by === 'mail'
  if (isMail ? !email : digits === undefined) refuse('customer_unreachable')
  const url = messages.linkOf(offer.id)
  const row = [merchantId, offer.id, orderId, JSON.stringify(offer), offer.until, messages.digestOf(offer.id)]
  if (!isMail || !email) {
    await statements.query(
      `insert into substitute_offers (merchant_id, offer_id, order_id, offer, state, until_at, link_hash, number, email, text_due_at)
       values ($1, $2, $3, $4, 'offered', $5, $6, $7, $8, now())`,
      [...row, `+1${digits}`, email || null],
    )
    return
  }
  const [shop] = await statements.query<{ name: string }>(
    'select name from merchants where merchant_id = $1',
    [merchantId],
  )
  const asked = { shop: shop?.name ?? '', orderId, offer, timezone: locked.timezone, url }
  const mailId = await promiseMail(
    statements,
    { recipient: email, merchantId, stationery: messages.stationery },
    letterOf({ ...asked, nowMs: statements.clock.nowMs() }),
  )
  await statements.query(
    `insert into substitute_offers (merchant_id, offer_id, order_id, offer, state, until_at, link_hash, mail_id)
     values ($1, $2, $3, $4, 'offered', $5, $6, $7)`,
    [...row, mailId],
  )
}
