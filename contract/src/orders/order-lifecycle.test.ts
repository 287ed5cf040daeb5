import { describe, expect, test } from 'vitest'
import type { CourierState } from '../delivery/courier-states.ts'
import { guardHolds, isPresaleReady, reportedItems, type OrderFacts } from './order-guards.ts'
import { allowedTransitions, findTransition, transitions } from './order-lifecycle.ts'
import {
  displayGroupOf,
  displayGroups,
  isFinishedForMerchant,
  orderStatuses,
  statusFromWire,
  tabOf,
  tabs,
  type OrderStatus,
} from './order-statuses.ts'

const today = '2026-11-20'

function order(changes: Partial<OrderFacts> = {}): OrderFacts {
  return {
    status: 'SUBMITTED',
    delivery: { method: 'shipped' },
    courier_estimate_id: null,
    courier_info: null,
    rejection_message: null,
    items: [{ id: 'a', product: { id: 'p-a' } }, { id: 'b' }],
    ...changes,
  }
}

const shippable = 'MERCHANT_ACCEPTED PAYMENT_SUBMITTED PAYMENT_APPROVED'

/**
 * The state machine of docs/requirements.md, written a second time by hand: the action, the party, the statuses it
 * may start from, the status it leads to ("=" keeps the status), and the kind of order it takes.
 */
const stateMachine = `
T03 accept           merchant    SUBMITTED > MERCHANT_ACCEPTED
T05 reject           merchant    SUBMITTED ${shippable} PAYMENT_DECLINED REJECTED_PARTIAL > MERCHANT_REJECTED
T06 report_items     merchant    SUBMITTED REJECTED_PARTIAL > REJECTED_PARTIAL
T09 reject_partly    merchant    SUBMITTED REJECTED_PARTIAL > REJECTED_PARTIAL
T10 resume           marketplace REJECTED_PARTIAL > SUBMITTED
T11 submit_payment   marketplace MERCHANT_ACCEPTED > PAYMENT_SUBMITTED
T12 approve_payment  marketplace MERCHANT_ACCEPTED PAYMENT_SUBMITTED PAYMENT_DECLINED > PAYMENT_APPROVED
T13 decline_payment  marketplace MERCHANT_ACCEPTED PAYMENT_SUBMITTED > PAYMENT_DECLINED
T14 buy_labels       merchant    ${shippable} > MERCHANT_SHIPPED
T15 save_tracking    merchant    ${shippable} > MERCHANT_SHIPPED
T16 send_out         merchant    ${shippable} > MERCHANT_SHIPPED
T17 request_courier  merchant    ${shippable} > =
T18 refresh_courier  merchant    MERCHANT_ACCEPTED > =
T19 courier_pick_up  courier     ${shippable} > MERCHANT_SHIPPED
T20 courier_fail     courier     ${shippable} > =
T21 deliver          merchant    MERCHANT_SHIPPED > CLOSED
T22 courier_deliver  courier     MERCHANT_SHIPPED > CLOSED
T23 carrier_deliver  carrier     MERCHANT_SHIPPED > CLOSED
T24 cancel           marketplace SUBMITTED ${shippable} PAYMENT_DECLINED REJECTED_PARTIAL MERCHANT_SHIPPED > CANCELLED
T25 dispute          marketplace MERCHANT_SHIPPED CLOSED > DISPUTED
T26 settle_dispute   marketplace DISPUTED > CLOSED
T27 refund           marketplace CLOSED DISPUTED CANCELLED MERCHANT_REJECTED > REFUNDED
T28 cancel_courier   merchant    ${shippable} > =
T29 bring_back       merchant    MERCHANT_SHIPPED > back
T30 courier_bring_back courier   MERCHANT_SHIPPED > back
T31 void_labels      merchant    MERCHANT_SHIPPED > back
T32 correct_tracking merchant    MERCHANT_SHIPPED > =
T33 correct_address  merchant    SUBMITTED ${shippable} > =
`
  .trim()
  .split('\n')
  .map((line) => {
    const [from = '', to = ''] = line.split(' > ')
    const [id, action, by, ...statuses] = from.split(/ +/)
    return {
      id,
      action,
      by,
      from: new Set(statuses),
      to: to === '=' || to === 'back' ? undefined : to,
      isBack: to === 'back',
    }
  })

/** An order that meets every guard of an action; only its status may be wrong. */
function ripeFor(action: string, status: OrderStatus): OrderFacts {
  const isLocal = /courier|send_out|^deliver$|bring_back/.test(action)
  return order({
    status,
    delivery: { method: isLocal ? 'on_demand' : 'shipped' },
    courier_estimate_id: 'est-1',
    courier_info: /pick_up|fail|courier_deliver|refresh|cancel_courier|courier_bring/.test(action)
      ? { order_status: action === 'courier_bring_back' ? 'ORDER_PICKED_UP' : 'ORDER_REQUESTED' }
      : null,
    rejection_message: action === 'reject_partly' ? '{"outOfStock":{"p-a":{"checked":true}}}' : null,
  })
}

describe('the lifecycle table', () => {
  test('has exactly the rows of the state machine', () => {
    expect(transitions.map((row) => row.action).toSorted()).toEqual(
      stateMachine.map((row) => row.action).toSorted(),
    )
  })

  test.each(stateMachine)('$id $action: starts only from the listed statuses', (row) => {
    const transition = findTransition(row.action as never)
    expect(transition).toMatchObject({ id: row.id, by: row.by })
    expect(transition.to).toBe(row.to)
    expect(transition.isBack === true).toBe(row.isBack)
    for (const party of ['merchant', 'marketplace', 'courier', 'carrier'] as const) {
      for (const status of orderStatuses) {
        const allowed = allowedTransitions(ripeFor(row.action ?? '', status), party, today)
        const expected = party === row.by && row.from.has(status)
        expect([party, status, allowed.some(({ action }) => action === row.action)]).toEqual([
          party,
          status,
          expected,
        ])
      }
    }
  })

  test('T24 REFUNDED is final, and only the marketplace changes a finished order', () => {
    for (const status of orderStatuses) {
      const leaving = transitions.filter((transition) => transition.from.includes(status))
      if (status === 'REFUNDED') expect(leaving).toEqual([])
      if (isFinishedForMerchant(status))
        expect(leaving.every((transition) => transition.by === 'marketplace')).toBe(true)
    }
    expect(orderStatuses.filter(isFinishedForMerchant).toSorted()).toEqual([
      'CANCELLED',
      'CLOSED',
      'DISPUTED',
      'MERCHANT_REJECTED',
      'REFUNDED',
    ])
  })
})

describe('the place of an order in the list', () => {
  const rows: [OrderStatus, string, string][] = [
    ['SUBMITTED', 'active', 'new'],
    ['MERCHANT_ACCEPTED', 'active', 'accepted'],
    ['PAYMENT_SUBMITTED', 'active', 'accepted'],
    ['PAYMENT_APPROVED', 'active', 'accepted'],
    ['PAYMENT_DECLINED', 'on_hold', 'rejected'],
    ['MERCHANT_SHIPPED', 'completed', 'shipped'],
    ['CLOSED', 'completed', 'completed'],
    ['REJECTED_PARTIAL', 'on_hold', 'rejected'],
    ['MERCHANT_REJECTED', 'cancelled', 'rejected'],
    ['CANCELLED', 'cancelled', 'rejected'],
    ['DISPUTED', 'on_hold', 'completed'],
    ['REFUNDED', 'cancelled', 'rejected'],
  ]

  test('STATE-001 the statuses are the twelve of the specification', () => {
    expect(rows.map(([status]) => status).toSorted()).toEqual([...orderStatuses].toSorted())
  })

  test.each(rows)(
    'STATE-002 STATE-003 STATE-004 STATE-005 STATE-006 GAP-105 %s is in %s as %s',
    (status, tab, group) => {
      expect(displayGroupOf(status, null)).toBe(group)
      for (const method of ['shipped', 'preorder', 'deposit', 'something_else'])
        expect([method, tabOf(status, method)]).toEqual([method, tab])
    },
  )

  test('STATE-007 a partly rejected order is on hold', () => {
    expect(tabOf('REJECTED_PARTIAL', 'on_demand')).toBe('on_hold')
  })

  test('GAP-106 a local order stays active until its delivery is confirmed', () => {
    for (const [status, tab] of rows)
      for (const method of ['on_demand', 'scheduled'])
        expect(tabOf(status, method)).toBe(status === 'MERCHANT_SHIPPED' ? 'active' : tab)
  })

  test('LIST-003 the groups of the list are the four tabs', () => {
    expect([...tabs].toSorted()).toEqual(['active', 'cancelled', 'completed', 'on_hold'])
  })

  test('STATE-009 printed shows only of an order that nobody accepted yet', () => {
    expect([...displayGroups]).toEqual(['new', 'printed', 'accepted', 'shipped', 'completed', 'rejected'])
    for (const [status, , group] of rows)
      expect(displayGroupOf(status, '2026-11-20T18:00:00Z')).toBe(status === 'SUBMITTED' ? 'printed' : group)
  })

  test('STATE-006 STATE-008 GAP-104 the old name of a rejection is accepted; a group is no status', () => {
    expect(statusFromWire('REJECTED_MERCHANT')).toBe('MERCHANT_REJECTED')
    for (const status of orderStatuses) expect(statusFromWire(status)).toBe(status)
    expect(statusFromWire('ACTIVE')).toBeUndefined()
    expect(statusFromWire('toString')).toBeUndefined()
  })
})

describe('guards', () => {
  const withDates = (...dates: (string | null)[]) =>
    order({
      items: dates.map((date, index) => ({ id: `i${index}`, aux_data: { preorder_available_date: date } })),
    })

  test('VIEW-016 GAP-110 a presale is ready exactly 10 days before its latest date, and not a day sooner', () => {
    const date = '2026-12-10'
    expect(isPresaleReady(withDates(date), '2026-11-30')).toBe(true)
    expect(isPresaleReady(withDates(date), '2026-11-29')).toBe(false)
    expect(isPresaleReady(withDates('2026-11-01', date, null), '2026-11-29')).toBe(false)
    expect(isPresaleReady(withDates('2026-11-01', null), today)).toBe(true)
    expect(isPresaleReady(order(), today)).toBe(true)
  })

  test('GAP-100 GAP-62 lines count by product id, or by their own id without one; engravings do not count', () => {
    const engraved = order({
      items: [
        { id: 'a', product: { id: 'p-a' } },
        { id: 'b', product: null },
        { id: 'e', parent_line_item_id: 'a' },
      ],
    })
    const reported = (message: unknown) =>
      reportedItems({ ...engraved, rejection_message: JSON.stringify(message) })
    expect(reportedItems(engraved)).toBe('none')
    expect(reported({ outOfStock: { 'p-a': { checked: true } } })).toBe('some')
    expect(reported({ outOfStock: { a: { checked: true } } })).toBe('none')
    expect(reported({ outOfStock: { 'p-a': {} }, wrongPrice: { 'p-a': {} } })).toBe('some')
    expect(reported({ outOfStock: { 'p-a': {} }, wrongPrice: { b: {} } })).toBe('all')
    expect(reported({ orderRejected: { 'p-a': {}, b: {} } })).toBe('none')
  })

  test('GAP-139 GAP-136 a second courier can be requested only after the last one failed or was cancelled', () => {
    const withCourier = (order_status: CourierState) => order({ courier_info: { order_status } })
    for (const status of ['ORDER_REQUESTED', 'ORDER_ASSIGNED', 'ORDER_PICKED_UP'] as const)
      expect(guardHolds('no_live_courier', withCourier(status), today)).toBe(false)
    for (const status of ['ORDER_FAILED', 'ORDER_CANCELLED'] as const)
      expect(guardHolds('no_live_courier', withCourier(status), today)).toBe(true)
    expect(guardHolds('courier_estimated', order(), today)).toBe(false)
    expect(guardHolds('courier_requested', order(), today)).toBe(false)
  })

  test('CONST-005 DELIV-001 on demand and scheduled are local, every other method goes by carrier', () => {
    const kinds = ['on_demand', 'scheduled', 'preorder', 'deposit', 'shipped', 'unknown'].map((method) => [
      method,
      guardHolds('local_order', order({ delivery: { method } }), today),
      guardHolds('carrier_order', order({ delivery: { method } }), today),
    ])
    expect(kinds).toEqual([
      ['on_demand', true, false],
      ['scheduled', true, false],
      ['preorder', false, true],
      ['deposit', false, true],
      ['shipped', false, true],
      ['unknown', false, true],
    ])
  })

  test('T14 T15 T16 T17 T21 T23 the wrong kind of order, and a presale too early, take the action away', () => {
    const actions = (changes: Partial<OrderFacts>) =>
      allowedTransitions(order({ status: 'MERCHANT_ACCEPTED', ...changes }), 'merchant', today).map(
        ({ id }) => id,
      )
    expect(actions({})).toEqual(['T05', 'T14', 'T15', 'T33'])
    expect(actions({ delivery: { method: 'scheduled' } })).toEqual(['T05', 'T16', 'T33'])
    expect(actions({ items: withDates('2027-01-01').items })).toEqual(['T05', 'T33'])
    const local = { delivery: { method: 'scheduled' }, courier_estimate_id: 'est-1' }
    expect(actions(local)).toEqual(['T05', 'T16', 'T17', 'T33'])
    expect(actions({ ...local, items: withDates('2027-01-01').items })).toEqual(['T05', 'T33'])
    const shipped = { status: 'MERCHANT_SHIPPED' } as const
    const still = allowedTransitions(order(shipped), 'merchant', today).map(({ action }) => action)
    expect(still).toEqual(['void_labels', 'correct_tracking'])
    const out = order({ ...shipped, delivery: { method: 'on_demand' } })
    expect(allowedTransitions(out, 'carrier', today)).toEqual([])
    expect(allowedTransitions(out, 'merchant', today).map(({ id }) => id)).toEqual(['T21', 'T29'])
  })

  test('T05 T09 GAP-102 some but not all lines of a new order reported is a partial rejection; what is held can still go whole', () => {
    const some = order({ rejection_message: '{"outOfStock":{"p-a":{"checked":true}}}' })
    const all = order({ rejection_message: '{"outOfStock":{"p-a":{},"b":{}}}' })
    const ids = (facts: OrderFacts) => allowedTransitions(facts, 'merchant', today).map(({ id }) => id)
    expect(ids(some)).toEqual(['T03', 'T06', 'T09', 'T33'])
    expect(ids(all)).toEqual(['T03', 'T05', 'T06', 'T33'])
    expect(ids({ ...some, status: 'REJECTED_PARTIAL' })).toEqual(['T05', 'T06', 'T09'])
  })
})
