import type { NewOrder } from '@cellarhand/contract/marketplace'
import { searchableText } from '@cellarhand/contract/searchable-text'
import { findDutyBook, holdRules, type DutyBook } from '#duties/public.ts'
import { findBottleFacts } from '#inventory/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { raiseAlarm } from '../live/alarms.ts'
import { deadlineFor } from '../document/deadline.ts'
import { amountProblems, itemProblems, toLineItems, toTransaction } from '../document/order-lines.ts'
import { answerFor, carriedDuties } from '../document/order-duties.ts'
import { writeKeys } from '../document/order-keys.ts'
import { contactProblems, dateProblems, deliveryDate } from '../document/order-problems.ts'
import { findOrderByReference } from '../document/reads.ts'
import { toWireText, type StoredOrder } from '../document/stored-order.ts'
import { submittedAt } from '../document/submitted-at.ts'
import {
  moveCounts,
  noApplication,
  noteChange,
  placeOf,
  withDutyNote,
  type Actor,
} from '../document/write-order.ts'

interface Reception {
  readonly merchant:
    | {
        readonly timezone: string
        readonly payment_set_up: boolean
        readonly courier_pick_instructions: string | null
        readonly regular_hours: string | null
      }
    | undefined
  /** Undefined when the reference is taken. */
  readonly orderId: string | undefined
  readonly lastOrder: Date | null
  readonly book: DutyBook | undefined
  readonly factsOf: ServerFacts['factsOf']
}

/** Reads everything that the server must know before it can take the order, in one round trip. */
async function prepare(statements: Statements, order: NewOrder): Promise<Reception> {
  const held = holdRules(statements, order.merchant)
  const [[merchant], [number], book, factsOf] = await Promise.all([
    statements.query<NonNullable<Reception['merchant']>>(
      'select timezone, payment_set_up, courier_pick_instructions, regular_hours from merchants where merchant_id = $1',
      [order.merchant],
    ),
    // A repetition takes no number.
    statements.query<{ order_id: string }>(
      `select next_order_number() as order_id
       where not exists (select from orders where merchant_id = $1 and order_key = $2)`,
      [order.merchant, order.thirstie_logistic_order_ref],
    ),
    findDutyBook(statements, order.merchant),
    findBottleFacts(
      statements,
      order.merchant,
      order.items.flatMap(({ offering }) => offering ?? []),
    ),
    held,
  ])
  return {
    merchant,
    orderId: number?.order_id,
    lastOrder: order.customer.last_order ? new Date(order.customer.last_order) : null,
    book,
    factsOf,
  }
}

/** Takes in the marketplace's order: the order, its first history row, its count, search row and event at once. */
export async function createOrder(statements: Statements, incoming: NewOrder, actor: Actor): Promise<string> {
  const nowMs = statements.clock.nowMs()
  refuseInvalid({
    ...dateProblems(incoming, nowMs),
    ...contactProblems(incoming),
    ...itemProblems(incoming.items),
    ...amountProblems(incoming.items, incoming.transaction),
  })
  const { merchant, orderId, lastOrder, book, factsOf } = await prepare(statements, incoming)
  if (merchant === undefined || book === undefined)
    return refuse('validation_failed', { errors: { merchant: 'No merchant has this key' } })
  if (!merchant.payment_set_up) return refuse('merchant_not_onboarded')
  if (orderId === undefined) return refuseDuplicate(statements, incoming)

  const taken = toStoredOrder(incoming, {
    orderId,
    lastOrder,
    nowMs,
    date: deliveryDate(incoming.delivery, merchant.timezone),
    courierInstructions: merchant.courier_pick_instructions,
    factsOf,
  })
  const duties = carriedDuties(answerFor(taken, { book, nowMs }), undefined)
  const order = duties === undefined ? taken : withDutyNote({ ...taken, duties })
  const deadlineAt = deadlineFor(order, {
    timezone: merchant.timezone,
    regularHours: merchant.regular_hours,
  })
  const details = submittedAt(incoming.date_submitted, nowMs).note
  const note = { action: 'submit', fromStatus: null, actor, comment: null, ...(details && { details }) }
  // All in one round trip. If another request took the reference meanwhile, all of it is rolled back.
  const inserted = insertOrder(statements, incoming.merchant, { order, deadlineAt })
  const noted = Promise.all([
    noteChange(statements, incoming.merchant, { order, note, kind: 'order.created' }),
    moveCounts(statements, incoming.merchant, [{ order, to: placeOf(order) }]),
    raiseAlarm(statements, { merchantId: incoming.merchant, orderId, kind: 'new' }),
  ])
  const [isNew] = await Promise.all([inserted, noted])
  if (!isNew) return refuseDuplicate(statements, incoming)
  return toWireText(order, { deadlineMs: deadlineAt.getTime(), timezone: merchant.timezone, nowMs })
}

/** With the order that has the reference: the marketplace may have lost the answer that named it. */
async function refuseDuplicate(statements: Statements, incoming: NewOrder): Promise<never> {
  const { merchant, thirstie_logistic_order_ref: reference } = incoming
  const order = await findOrderByReference(statements, merchant, reference)
  return refuse('duplicate_order', { body: { order: JSON.parse(order) as unknown } })
}

interface ServerFacts {
  readonly orderId: string
  readonly lastOrder: Date | null
  readonly nowMs: number
  readonly date: string | null
  readonly courierInstructions: string | null
  readonly factsOf: Parameters<typeof toLineItems>[1]
}

function toStoredOrder(
  incoming: NewOrder,
  { orderId, lastOrder, nowMs, date, courierInstructions, factsOf }: ServerFacts,
): StoredOrder {
  const { recipient, customer, delivery } = incoming
  return {
    id: orderId,
    thirstie_logistic_order_ref: incoming.thirstie_logistic_order_ref,
    status: 'SUBMITTED',
    date_submitted: submittedAt(incoming.date_submitted, nowMs).date,
    application_name: incoming.application_name ?? null,
    application_brand_name: incoming.application_brand_name ?? null,
    application_ref: incoming.application_ref ?? null,
    delivery: {
      method: delivery.method,
      date,
      window: delivery.window?.map((at) => new Date(at).toISOString()) ?? null,
    },
    recipient: {
      first_name: recipient.first_name,
      last_name: recipient.last_name,
      street_1: recipient.street_1,
      street_2: recipient.street_2 ?? null,
      street_3: recipient.street_3 ?? null,
      city: recipient.city,
      state: recipient.state,
      zipcode: recipient.zipcode,
      country: recipient.country ?? null,
      phone_number: recipient.phone_number ?? null,
      delivery_instructions: recipient.delivery_instructions ?? null,
    },
    customer: {
      first_name: customer.first_name,
      last_name: customer.last_name,
      email: customer.email ?? null,
      phone_number: customer.phone_number ?? null,
      last_order: lastOrder?.toISOString() ?? null,
    },
    gift_message: incoming.gift_message ?? null,
    promo_code: incoming.promo_code ?? null,
    printed_timestamp: null,
    status_comment: null,
    status_recent_comment: null,
    courier_estimate_id: incoming.courier_estimate_id ?? null,
    shipment_info: [],
    tracking_id: null,
    tracking_provider: null,
    tracking_url: null,
    other_tracking_provider: null,
    transaction: toTransaction(incoming.transaction),
    order_weight: incoming.order_weight ?? null,
    items: toLineItems(incoming.items, factsOf),
    courier_info: null,
    rejection_message: null,
    aux_data: {
      courier_pick_instructions: incoming.aux_data?.courier_pick_instructions ?? courierInstructions,
    },
    delivery_info: null,
    version: 1,
  }
}

/** Answers false if the reference is taken. */
async function insertOrder(
  statements: Statements,
  merchantId: string,
  { order, deadlineAt }: { order: StoredOrder; deadlineAt: Date },
): Promise<boolean> {
  const place = placeOf(order)
  const names = [order.recipient, order.customer].map((person) =>
    searchableText(`${person.first_name} ${person.last_name}`),
  )
  const [inserted] = await Promise.all([
    statements.query(
      `insert into orders (merchant_id, order_id, order_key, status, tab, display_group, delivery_method, application_ref, submitted_at, deadline_at, version, document, needs_look)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict (merchant_id, order_key) do nothing returning 1`,
      [
        merchantId,
        order.id,
        order.thirstie_logistic_order_ref,
        order.status,
        place.tab,
        place.display_group,
        order.delivery.method,
        order.application_ref ?? noApplication,
        order.date_submitted,
        deadlineAt,
        order.version,
        JSON.stringify(order),
        place.needs_look,
      ],
    ),
    statements.query(
      'insert into order_search (merchant_id, order_id, submitted_at, names, email) values ($1, $2, $3, $4, $5)',
      [
        merchantId,
        order.id,
        order.date_submitted,
        [...new Set(names)].join('\n'),
        searchableText(order.customer.email ?? ''),
      ],
    ),
    writeKeys(statements, merchantId, { order }),
    order.application_ref === null
      ? undefined
      : statements.query(
          `insert into applications as a (merchant_id, application_ref, name, brand_name) values ($1, $2, $3, $4)
           on conflict (merchant_id, application_ref) do update set name = excluded.name, brand_name = excluded.brand_name
           where (a.name, a.brand_name) is distinct from (excluded.name, excluded.brand_name)`,
          [
            merchantId,
            order.application_ref,
            order.application_name ?? order.application_ref,
            order.application_brand_name,
          ],
        ),
  ])
  return inserted.length > 0
}
