import type { Client } from '@cellarhand/client'
import type { Api } from '@cellarhand/contract/api'
import { ageCheckMethods } from '@cellarhand/contract/door-checks'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { Order } from '@cellarhand/contract/orders'
import type { MakeCall } from './calls.ts'
import { correctedOrder } from './corrected-order.ts'
import type { Random } from './random.ts'
import {
  cancelReasons,
  deliveryNotes,
  disputeReasons,
  drivers,
  outOfStockNotes,
  receivers,
  refundReasons,
  rejectionNotes,
} from './words.ts'

/** The steps of an order's life, each by its real party. */
export type Step =
  | 'accept'
  | 'submit_payment'
  | 'approve_payment'
  | 'decline_payment'
  | 'ship'
  | 'buy_labels'
  | 'move'
  | 'carrier_deliver'
  | 'carrier_fail'
  | 'send_out'
  | 'note_delivery'
  | 'deliver'
  | 'bring_back'
  | 'edit_instructions'
  | 'report_items'
  | 'reject_partly'
  | 'reject'
  | 'resume'
  | 'cancel'
  | 'dispute'
  | 'settle'
  | 'refund'

interface Clerk {
  readonly call: MakeCall
  /** The whole Authorization header. */
  readonly as: string
}

export interface LifeDeps {
  readonly marketplace: Client
  /** One of the shop's people; undefined for a simulation, which takes no step of the shop. */
  readonly clerk: Clerk | undefined
  readonly merchantKey: string
  readonly random: Random
  readonly now: Date
}

const hourMs = 3_600_000

/** Takes one step of an order's life and returns the new order. `key` makes a repetition harmless. */
export async function takeStep(deps: LifeDeps, step: Step, { order, key }: { order: Order; key: string }) {
  return isByTheShop(step) ? shopStep(deps, step, { order, key }) : outsideStep(deps, step, { order, key })
}

const shopSteps = [
  'accept',
  'ship',
  'buy_labels',
  'send_out',
  'note_delivery',
  'deliver',
  'bring_back',
  'edit_instructions',
  'report_items',
  'reject_partly',
  'reject',
] as const
type ShopStep = (typeof shopSteps)[number]

function isByTheShop(step: Step): step is ShopStep {
  return (shopSteps as readonly Step[]).includes(step)
}

interface Target {
  readonly order: Order
  readonly key: string
}

async function shopStep(deps: LifeDeps, step: ShopStep, { order, key }: Target): Promise<Order> {
  const { random, merchantKey } = deps
  if (deps.clerk === undefined) throw new Error(`Only a clerk takes the step ${step}`)
  const { call, as: clerk } = deps.clerk
  const { id } = order
  const update = (body: Api['PUT /m/v2/orders/{id}']['body']) =>
    call('PUT /m/v2/orders/{id}', { as: clerk, params: { id }, key, body })
  const params = { tmk: merchantKey, id }
  switch (step) {
    case 'accept':
      return update({ status: 'MERCHANT_ACCEPTED' })
    case 'ship':
      return update({ status: 'MERCHANT_SHIPPED', order: trackingOf(random) })
    case 'buy_labels': {
      const boxes = [{ weight: random.between(3, 12), insurance: random.between(50, 400) }]
      const body = { order_id: id, boxes }
      const reply = await call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
        as: clerk,
        params,
        key,
        body,
      })
      return reply.order
    }
    case 'send_out':
      return update({ status: 'MERCHANT_SHIPPED' })
    case 'deliver':
      return update({ status: 'CLOSED', delivery_info: { ...handOver(deps, order), ...idCheck(random) } })
    case 'note_delivery': {
      const { delivery_info } = await call('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
        as: clerk,
        params,
        body: handOver(deps, order),
      })
      return { ...order, delivery_info }
    }
    case 'bring_back':
      return call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
        as: clerk,
        params,
        key,
        body: { reason: random.pick(['under_21', 'no_valid_id'] as const), checked_by: random.pick(drivers) },
      })
    case 'edit_instructions':
      return call('POST /m/v2/merchant/{tmk}/orders/{id}/delivery_instructions', {
        as: clerk,
        params,
        body: { delivery_instructions: random.pick(deliveryNotes) },
      })
    case 'report_items':
      return update({ status: 'REJECTED_PARTIAL', order: { rejection_message: reportOf(random, order) } })
    case 'reject_partly':
      return call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
        as: clerk,
        params,
        key,
        body: {
          status: 'REJECTED_PARTIAL',
          reason: { code: 'other', value: 'One of the lines cannot be filled.' },
          rejection_message: reportOf(random, order),
        },
      })
    case 'reject': {
      const code = random.pick(['customer_cancelled', 'bad_weather', 'store_closed', 'other'] as const)
      const value = code === 'other' ? random.pick(rejectionNotes) : null
      return call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
        as: clerk,
        params,
        key,
        body: { reason: { code, value } },
      })
    }
  }
}

async function outsideStep(
  deps: LifeDeps,
  step: Exclude<Step, ShopStep>,
  { order, key }: Target,
): Promise<Order> {
  const { marketplace, random } = deps
  const at = { params: { id: order.id }, idempotencyKey: key }
  const to = (status: string, comment: string | null = null) =>
    marketplace.changeOrderStatus({ ...at, body: { status, comment } })
  switch (step) {
    case 'submit_payment':
      return to('PAYMENT_SUBMITTED')
    case 'approve_payment':
      return to('PAYMENT_APPROVED')
    case 'decline_payment':
      return to('PAYMENT_DECLINED', 'The card was declined. The customer has been asked for another one.')
    case 'cancel':
      return to('CANCELLED', random.pick(cancelReasons))
    case 'dispute':
      return to('DISPUTED', random.pick(disputeReasons))
    case 'settle':
      return to('CLOSED', 'The bank decided for the merchant.')
    case 'refund':
      return to('REFUNDED', random.pick(refundReasons))
    case 'resume':
      return marketplace.changeOrderStatus({ ...at, body: correctedOrder(order) })
    case 'move':
    case 'carrier_deliver':
    case 'carrier_fail':
      return marketplace.reportCarrierEvent({ ...at, body: carrierEventOf(deps, step, order) })
  }
}

function carrierEventOf(deps: LifeDeps, step: 'move' | 'carrier_deliver' | 'carrier_fail', order: Order) {
  const event = ({ move: 'in_transit', carrier_deliver: 'delivered', carrier_fail: 'failed' } as const)[step]
  const hours = step === 'carrier_deliver' ? deps.random.between(40, 130) : deps.random.between(6, 30)
  return {
    tracking_code: order.shipment_info[0]?.tracking_code ?? '',
    event,
    at: hoursAfter(order, hours, deps.now),
  }
}

/** Some hours after the submission, but never later than now. */
function hoursAfter(order: Order, hours: number, now: Date): string {
  return new Date(Math.min(Date.parse(order.date_submitted) + hours * hourMs, now.getTime())).toISOString()
}

function trackingOf(random: Random) {
  const carrier = random.pick(['FedEx', 'FedEx', 'UPS', 'UPS', 'GSO', 'OTHER'] as const)
  if (carrier === 'FedEx') return { tracking_provider: carrier, tracking_id: `7${random.digits(11)}` }
  if (carrier === 'UPS') return { tracking_provider: carrier, tracking_id: `1ZCH04${random.digits(12)}` }
  if (carrier === 'GSO') return { tracking_provider: carrier, tracking_id: `5${random.digits(9)}` }
  const code = `VR${random.digits(8)}`
  return {
    tracking_provider: carrier,
    tracking_id: code,
    other_tracking_provider: 'Valley Runner',
    tracking_url: `https://parcels.example.com/track/${code}`,
  }
}

function handOver({ random, now }: LifeDeps, order: Order) {
  const windowEnd = order.delivery.window?.[1]
  const end = windowEnd === undefined ? Number.POSITIVE_INFINITY : Date.parse(windowEnd)
  const hours = order.delivery.method === 'on_demand' ? random.between(1, 2) * 0.8 : random.between(2, 26)
  const at = Math.min(Date.parse(hoursAfter(order, hours, now)), end)
  return {
    signed_by: random.pick(receivers),
    delivered_by: random.pick(drivers),
    delivered_on: new Date(Math.max(at, Date.parse(order.date_submitted))).toISOString(),
  }
}

/** Most drivers record the ID check; now and then one forgets. */
function idCheck(random: Random) {
  if (random.chance(0.08)) return {}
  const method = random.chance(0.7) ? 'driver_license' : random.pick(ageCheckMethods)
  return { age_check: { method } }
}

/** The first line is out of stock or wrongly priced; the others are fine. */
function reportOf(random: Random, order: Order): string {
  const line = ownLines(order)[0]?.item
  if (line === undefined) return '{}'
  const line1 = rejectionKey(line)
  const part = line.quantity > 2 ? { quantity: 1 } : {}
  const report = random.chance(0.6)
    ? { outOfStock: { [line1]: { checked: true, reason: random.pick(outOfStockNotes), ...part } } }
    : { wrongPrice: { [line1]: { checked: true, price: line.price + 3 } } }
  return JSON.stringify(report)
}

/** Usual lives by name. The order's method decides between the two ways of handing it over. */
export const lives = {
  new: [],
  new_noted: ['edit_instructions'],
  accepted: ['accept'],
  paying: ['accept', 'submit_payment'],
  paid: ['accept', 'submit_payment', 'approve_payment'],
  declined: ['accept', 'submit_payment', 'decline_payment'],
  reported: ['report_items'],
  partly_rejected: ['reject_partly'],
  resumed: ['report_items', 'resume'],
  rejected: ['reject'],
  rejected_late: ['accept', 'approve_payment', 'reject'],
  cancelled: ['cancel'],
  cancelled_late: ['accept', 'submit_payment', 'cancel'],
  shipped: ['accept', 'approve_payment', 'ship'],
  labelled: ['accept', 'submit_payment', 'approve_payment', 'buy_labels'],
  moving: ['accept', 'submit_payment', 'approve_payment', 'ship', 'move'],
  delivered: ['accept', 'submit_payment', 'approve_payment', 'ship', 'carrier_deliver'],
  delivered_second_try: ['accept', 'approve_payment', 'ship', 'carrier_fail', 'carrier_deliver'],
  shipped_and_cancelled: ['accept', 'approve_payment', 'ship', 'cancel'],
  out: ['accept', 'approve_payment', 'send_out'],
  out_noted: ['accept', 'approve_payment', 'send_out', 'note_delivery'],
  brought_back: ['accept', 'approve_payment', 'send_out', 'bring_back'],
  handed_over: ['accept', 'approve_payment', 'send_out', 'deliver'],
  resumed_and_handed_over: ['report_items', 'resume', 'accept', 'approve_payment', 'send_out', 'deliver'],
  disputed: ['accept', 'approve_payment', 'ship', 'carrier_deliver', 'dispute'],
  settled: ['accept', 'approve_payment', 'ship', 'carrier_deliver', 'dispute', 'settle'],
  refunded: ['accept', 'approve_payment', 'ship', 'carrier_deliver', 'refund'],
  refunded_after_dispute: ['accept', 'approve_payment', 'ship', 'carrier_deliver', 'dispute', 'refund'],
  refunded_after_cancel: ['cancel', 'refund'],
} as const satisfies Readonly<Record<string, readonly Step[]>>

export type LifeName = keyof typeof lives
