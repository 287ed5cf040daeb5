import { randomUUID } from 'node:crypto'
import type { AllowedServices, Denial } from '@cellarhand/contract/carrier-terms'
import { declaredValueProblem, mostBoxes, splitWeight, weightProblem } from '@cellarhand/contract/boxes'
import { isPoBox } from '@cellarhand/contract/label-errors'
import { isValidUsPhone } from '@cellarhand/contract/phone'
import type { Order } from '@cellarhand/contract/orders'
import type { Statements } from '#platform/db/database.ts'
import type { IdempotentRequest } from '#platform/http/idempotency.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { leaseEnd } from '#platform/jobs/claim.ts'
import {
  getCarrierTerms,
  lockOrder,
  requireTransition,
  type LockedOrder,
  type MerchantStep,
} from '#orders/public.ts'
import { findCarrierAccount, type StoredAccount } from '../account/carrier-account.ts'
import { findLivePurchase, findPurchaseByKey, type Purchase } from './label-purchases.ts'
import { labelRefusal } from '../port/label-refusal.ts'
import type { ShippingAddress } from '../port/shipping-port.ts'

export interface WantedBox {
  readonly weight?: number | null
  readonly insurance?: number | null
}

export interface PurchaseWish {
  readonly provider: string
  /** When left out: the single box that the form suggests. */
  readonly boxes?: readonly WantedBox[]
  readonly idempotent: IdempotentRequest | undefined
}

export interface Plan {
  readonly account: StoredAccount
  readonly from: ShippingAddress
  readonly to: ShippingAddress
  readonly timezone: string
  /** By the rules of the shop; undefined where none names services. */
  readonly allowed: AllowedServices | undefined
  readonly denied: readonly Denial[] | undefined
}

export type Begun =
  | { readonly kind: 'again'; readonly purchase: Purchase }
  | { readonly kind: 'new'; readonly purchase: Purchase; readonly plan: Plan }

/** Stores the planned purchase before any call to the outside, so that it survives the death of this process. */
export async function beginPurchase(
  statements: Statements,
  step: MerchantStep,
  wish: PurchaseWish,
): Promise<Begun> {
  const { merchantId, orderId, actor } = step
  const locked = await lockOrder(statements, step)
  const { idempotent } = wish
  const own = await findOwnPurchase(statements, step, idempotent)
  if (own !== undefined && own.requestHash !== idempotent?.hash) refuse('idempotency_key_reused')
  // A voided one too: the clerk returned those labels, and a repeated request must not buy them again.
  if (own?.state === 'bought' || own?.state === 'voided') return { kind: 'again', purchase: own }
  const live = await findLivePurchase(statements, step)
  if (live?.state === 'running') refuse('labels_being_bought')
  if (live?.state === 'in_doubt' || live?.state === 'voiding') refuse('labels_in_doubt')
  const { plan, boxes } = await planPurchase(statements, step, { locked, wish })
  const purchase: Purchase = {
    merchantId,
    orderId,
    purchaseId: randomUUID(),
    state: 'running',
    actor,
    attempt: 1,
    idempotencyKey: idempotent === undefined ? null : purchaseKeyOf(idempotent),
    requestHash: idempotent?.hash ?? null,
    createdAt: new Date(statements.clock.nowMs()),
    sentTo: addressText(plan.to),
    priceCents: null,
  }
  await insertPurchase(statements, purchase, { boxes, account: plan.account })
  return { kind: 'new', purchase, plan }
}

/** The purchase of the same request, done or under way. */
export async function findOwnPurchase(
  statements: Statements,
  step: MerchantStep,
  idempotent: IdempotentRequest | undefined,
): Promise<Purchase | undefined> {
  return idempotent === undefined ? undefined : findPurchaseByKey(statements, step, purchaseKeyOf(idempotent))
}

function purchaseKeyOf({ scope, key }: IdempotentRequest): string {
  return `${scope} ${key}`
}

/** The labels to buy, or why they cannot be bought, as far as nobody outside needs to be asked. */
export async function planPurchase(
  statements: Statements,
  { merchantId }: MerchantStep,
  { locked, wish }: { locked: LockedOrder; wish: Pick<PurchaseWish, 'provider' | 'boxes'> },
): Promise<{ plan: Plan; boxes: readonly WantedBox[] }> {
  await requireTransition(statements, merchantId, { locked, action: 'buy_labels' })
  const boxes = wish.boxes ?? suggestedBoxes(locked.order)
  refuseBadBoxes(boxes, locked.order)
  const to = addressOf(locked.order.recipient)
  refuseUnshippable(to)
  const account = await findCarrierAccount(statements, merchantId)
  if (account === undefined || account.provider !== wish.provider) throw labelRefusal('account_unauthorized')
  const { carrier } = account
  const { forbidden, allowed, denied } = await getCarrierTerms(statements, merchantId, {
    order: locked.order,
    carrier,
  })
  if (forbidden !== undefined) refuse('service_forbidden', { message: forbidden })
  const from = await senderOf(statements, merchantId)
  return { plan: { account, from, to, timezone: locked.timezone, allowed, denied }, boxes }
}

async function insertPurchase(
  { query }: Statements,
  purchase: Purchase,
  { boxes, account }: { boxes: readonly WantedBox[]; account: StoredAccount },
): Promise<void> {
  const { merchantId, purchaseId, orderId } = purchase
  await query(
    `insert into label_purchases (merchant_id, purchase_id, order_id, state, provider, provider_account, actor, idempotency_key, request_hash,
       sent_to, lease_until)
     values ($1, $2, $3, 'running', $4, $5, $6, $7, $8, $9, ${leaseEnd})`,
    [
      merchantId,
      purchaseId,
      orderId,
      account.provider,
      account.provider_account,
      JSON.stringify(purchase.actor),
      purchase.idempotencyKey,
      purchase.requestHash,
      purchase.sentTo,
    ],
  )
  await query(
    `insert into shipping_labels (merchant_id, purchase_id, order_id, box, weight, insurance)
     select $1, $2, $3, box.number, box.weight, box.insurance
     from unnest($4::float8[], $5::float8[]) with ordinality as box (weight, insurance, number)`,
    [
      merchantId,
      purchaseId,
      orderId,
      boxes.map(({ weight }) => weight),
      boxes.map(({ insurance }) => insurance ?? 0),
    ],
  )
}

function suggestedBoxes({ order_weight: total }: Pick<Order, 'order_weight'>): WantedBox[] {
  const [weight = null] = total === null ? [] : splitWeight(total, 1)
  if (weightProblem(weight) !== undefined) {
    return refuse('validation_failed', {
      message: 'Its weight is not known. Please enter it under Create Shipping Label in the order.',
    })
  }
  return [{ weight }]
}

function refuseBadBoxes(boxes: readonly WantedBox[], order: Pick<Order, 'items'>): void {
  const problems: Record<string, string | undefined> = {}
  const most = mostBoxes(order.items)
  if (boxes.length > most) problems['boxes'] = `This order fits into at most ${most} boxes`
  for (const [index, { weight, insurance = null }] of boxes.entries()) {
    problems[`boxes.${index}.weight`] = weightProblem(weight ?? null)
    problems[`boxes.${index}.insurance`] = declaredValueProblem(insurance)
  }
  refuseInvalid(problems)
}

/** Refuses addresses that every carrier refuses, without asking one. */
function refuseUnshippable(to: ShippingAddress): void {
  if (isPoBox(to.street1) || (to.street2 !== null && isPoBox(to.street2))) throw labelRefusal('po_box')
  if (to.phone === null || !isValidUsPhone(to.phone)) throw labelRefusal('missing_phone')
}

/** Two addresses are one if their texts are. */
export function addressText(address: ShippingAddress): string {
  return JSON.stringify(address)
}

export function addressOf(recipient: Order['recipient']): ShippingAddress {
  const { street_2, street_3 } = recipient
  const phone = recipient.phone_number?.trim() ?? ''
  return {
    name: `${recipient.first_name} ${recipient.last_name}`.trim(),
    company: null,
    street1: recipient.street_1,
    street2: [street_2, street_3].filter(Boolean).join(', ') || null,
    city: recipient.city,
    state: recipient.state,
    zip: recipient.zipcode,
    country: recipient.country ?? 'US',
    phone: phone === '' ? null : phone,
    email: null,
  }
}

interface MerchantAddress {
  street_1: string
  street_2: string | null
  street_3: string | null
  city: string
  state: string
  zipcode: string
}

async function senderOf({ query }: Statements, merchantId: string): Promise<ShippingAddress> {
  const [row] = await query<{ name: string; primary_phone: string; email: string; address: string }>(
    'select name, primary_phone, email, address from merchants where merchant_id = $1',
    [merchantId],
  )
  if (row === undefined) return refuse('not_found')
  const address = JSON.parse(row.address) as MerchantAddress
  return {
    name: row.name,
    company: row.name,
    street1: address.street_1,
    street2: [address.street_2, address.street_3].filter(Boolean).join(', ') || null,
    city: address.city,
    state: address.state,
    zip: address.zipcode,
    country: 'US',
    phone: row.primary_phone,
    email: row.email,
  }
}
