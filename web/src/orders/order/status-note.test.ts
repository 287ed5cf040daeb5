import type { Order } from '@cellarhand/contract/orders'
import { beforeEach, expect, test } from 'vitest'
import { learnShopZone, STANDARD_TIMEZONE } from '#lib/time/shop-day.ts'
import { statusNote } from './status-note.ts'

// Files share their modules, and another one may have learnt another zone.
beforeEach(() => void learnShopZone({ timezone: STANDARD_TIMEZONE }))

const window = ['2026-11-26T23:00:00Z', '2026-11-27T01:30:00Z']
const duties = { note: 'ID check at the door', block: [], must: [] }
const courier = (order_status: string, estimated_pickup_time: string | null = null) => ({
  courier_info: { order_status, estimated_pickup_time },
})

function noteOf(facts: object): string | undefined {
  const order = {
    status: 'MERCHANT_ACCEPTED',
    delivery: { method: 'on_demand', window: null },
    courier_info: null,
    ...facts,
  }
  return statusNote(order as unknown as Order)
}

const scheduled = { delivery: { method: 'scheduled', window } }

test.each([
  ['nothing to know', {}, undefined],
  ['a window, in the shop’s time', scheduled, '6:00 PM to 8:30 PM'],
  ['a rule before the window', { ...scheduled, duties }, 'ID check at the door'],
  ['a courier before a rule', { duties, ...courier('ORDER_REQUESTED') }, 'No courier yet'],
  ['a courier with a time', courier('ORDER_ASSIGNED', '2026-11-27T00:05:00Z'), 'Courier due 7:05 PM'],
  ['a courier that is none any more', courier('ORDER_FAILED'), 'No courier'],
  ['a courier without one', courier('ORDER_ASSIGNED'), 'Courier on the way'],
  [
    'what holds it before its courier',
    { duties: { ...duties, note: 'Held: Utah', block: [{}] }, ...courier('ORDER_ASSIGNED') },
    'Held: Utah',
  ],
  ['no courier of an order that is done', { status: 'CLOSED', ...courier('ORDER_DELIVERED') }, undefined],
])('the second line of a status: %s', (_, facts, note) => {
  expect(noteOf(facts)).toBe(note)
})
