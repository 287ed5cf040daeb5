import type { DeliveryMethod } from '@cellarhand/contract/order-statuses'
import type { LifeName } from './order-life.ts'
import type { OrderWish } from './order-generator.ts'
import { courierSentinels } from '../src/delivery/couriers/courier-sentinels.ts'
import { heldPlaces } from './demo-rules.ts'
import { createRandom, type Random } from './random.ts'
import { sentinelAddresses } from '../src/shipping/port/sentinel-addresses.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface PlanRow {
  readonly life: LifeName
  readonly methods: readonly DeliveryMethod[]
  readonly count: number
  /** From newest to oldest, in hours before now; the row's orders are spread evenly between. */
  readonly age: readonly [newest: number, oldest: number]
  /** Minutes from now at which each order's window ends; by default tomorrow evening. */
  readonly windowEnds?: readonly number[]
  /** Days from now at which each order's presale is ready. */
  readonly presale?: readonly number[]
  readonly traits?: Partial<OrderWish>
}

const anyCarrier = ['shipped', 'shipped', 'shipped', 'preorder', 'deposit'] as const
const anyLocal = ['on_demand', 'scheduled'] as const
const any = ['shipped', 'on_demand', 'scheduled'] as const

/** The big shop's desk: `count` orders of each kind. The ages of on-demand orders give every badge colour. */
const demoRows: readonly PlanRow[] = [
  { life: 'new', methods: ['on_demand'], count: 9, age: [0.05, 1.4] },
  { life: 'new', methods: ['on_demand'], count: 3, age: [1.55, 1.9] },
  { life: 'new', methods: ['on_demand'], count: 3, age: [2.2, 6] },
  { life: 'new_noted', methods: ['on_demand'], count: 2, age: [0.3, 0.8] },
  {
    life: 'new',
    methods: ['scheduled'],
    count: 7,
    age: [3, 20],
    windowEnds: [-50, 12, 26, 100, 240, 1500, 3000],
  },
  { life: 'new', methods: ['shipped'], count: 9, age: [0.2, 30] },
  { life: 'new', methods: ['shipped'], count: 2, age: [1, 8], traits: { isHeavy: true } },
  { life: 'new', methods: ['shipped'], count: 2, age: [2, 9], traits: { isEngraved: true, isGift: true } },
  { life: 'new', methods: ['preorder', 'deposit'], count: 6, age: [5, 70], presale: [3, 8, 10, 24, 45, 90] },
  { life: 'new', methods: anyLocal, count: 4, age: [0.1, 1], traits: { hasCourier: true } },
  { life: 'accepted', methods: ['on_demand'], count: 5, age: [0.2, 2.4] },
  { life: 'accepted', methods: ['scheduled'], count: 4, age: [4, 26], windowEnds: [20, 90, 300, 1600] },
  { life: 'accepted', methods: ['shipped'], count: 5, age: [2, 48] },
  {
    life: 'accepted',
    methods: ['preorder', 'deposit'],
    count: 6,
    age: [20, 200],
    presale: [2, 6, 9, 20, 33, 60],
  },
  { life: 'accepted', methods: anyLocal, count: 4, age: [0.3, 1.5], traits: { hasCourier: true } },
  { life: 'paying', methods: any, count: 6, age: [0.4, 9] },
  { life: 'paid', methods: anyLocal, count: 5, age: [0.5, 8] },
  { life: 'brought_back', methods: anyLocal, count: 2, age: [1.5, 6] },
  { life: 'paid', methods: ['shipped'], count: 7, age: [3, 40] },
  { life: 'paid', methods: ['shipped'], count: 4, age: [3, 30], traits: { isHeavy: true } },
  { life: 'paid', methods: anyLocal, count: 3, age: [0.5, 1.6], traits: { hasCourier: true } },
  { life: 'resumed', methods: ['shipped', 'on_demand'], count: 3, age: [1, 20], traits: { minLines: 2 } },
  { life: 'out', methods: anyLocal, count: 4, age: [0.6, 3] },
  { life: 'out_noted', methods: anyLocal, count: 2, age: [1, 3] },
  { life: 'declined', methods: any, count: 6, age: [2, 90] },
  { life: 'reported', methods: any, count: 5, age: [1, 60], traits: { minLines: 2 } },
  { life: 'partly_rejected', methods: any, count: 5, age: [1, 80], traits: { minLines: 2 } },
  { life: 'disputed', methods: ['shipped'], count: 4, age: [240, 900] },
  { life: 'rejected', methods: any, count: 9, age: [5, 1200] },
  { life: 'rejected_late', methods: any, count: 4, age: [12, 700] },
  { life: 'cancelled', methods: [...any, 'preorder'], count: 9, age: [3, 1300], presale: [40] },
  { life: 'cancelled_late', methods: any, count: 4, age: [20, 900] },
  { life: 'shipped_and_cancelled', methods: ['shipped'], count: 2, age: [60, 500] },
  { life: 'refunded', methods: ['shipped'], count: 4, age: [200, 1400] },
  { life: 'refunded_after_dispute', methods: ['shipped'], count: 2, age: [400, 1300] },
  { life: 'refunded_after_cancel', methods: any, count: 3, age: [50, 1000] },
  { life: 'shipped', methods: ['shipped'], count: 10, age: [5, 100] },
  { life: 'labelled', methods: ['shipped'], count: 3, age: [4, 30] },
  { life: 'moving', methods: ['shipped'], count: 10, age: [20, 160] },
  { life: 'delivered', methods: anyCarrier, count: 36, age: [110, 1440], presale: [-3] },
  { life: 'delivered_second_try', methods: ['shipped'], count: 5, age: [150, 1200] },
  { life: 'settled', methods: ['shipped'], count: 3, age: [500, 1400] },
  { life: 'handed_over', methods: anyLocal, count: 48, age: [4, 1440] },
  { life: 'handed_over', methods: anyLocal, count: 4, age: [9, 400], traits: { hasCourier: true } },
  { life: 'resumed_and_handed_over', methods: anyLocal, count: 3, age: [40, 600], traits: { minLines: 2 } },
]

/** What the counter has done since this morning, so that the day's page has something to show. */
const busyRows: readonly PlanRow[] = [
  { life: 'handed_over', methods: anyLocal, count: 34, age: [1, 11] },
  { life: 'rejected', methods: ['on_demand'], count: 4, age: [1.2, 9] },
]

const otherRows: readonly PlanRow[] = [
  { life: 'new', methods: ['on_demand'], count: 3, age: [0.1, 2.3] },
  { life: 'new', methods: ['shipped'], count: 3, age: [1, 20] },
  { life: 'accepted', methods: any, count: 4, age: [0.5, 20] },
  { life: 'paid', methods: any, count: 4, age: [0.7, 20] },
  { life: 'out', methods: anyLocal, count: 2, age: [0.8, 2] },
  { life: 'declined', methods: any, count: 1, age: [4, 5] },
  { life: 'reported', methods: any, count: 1, age: [6, 7], traits: { minLines: 2 } },
  { life: 'cancelled', methods: any, count: 2, age: [20, 300] },
  { life: 'rejected', methods: any, count: 1, age: [50, 60] },
  { life: 'moving', methods: ['shipped'], count: 3, age: [20, 90] },
  { life: 'delivered', methods: ['shipped'], count: 4, age: [110, 900] },
  { life: 'handed_over', methods: anyLocal, count: 4, age: [5, 700] },
]

export interface PlannedOrder {
  readonly life: LifeName
  readonly wish: OrderWish
  readonly random: Random
}

interface Shop {
  readonly key: string
  readonly timezone: string
}

/** A shop's orders from oldest to newest. The same `now` gives exactly the same orders. */
export function planOrders(shop: Shop, now: Date): PlannedOrder[] {
  const isDemo = shop.key === 'demo'
  const rows = isDemo ? [...demoRows, ...sentinelRows(), ...courierSentinelRows()] : otherRows
  const planOf = (some: readonly PlanRow[]) =>
    some.flatMap((row) =>
      Array.from({ length: row.count }, (_, index) => ({ row, index, at: submittedAt(row, index, now) })),
    )
  const planned = planOf(rows).toSorted((a, b) => a.at.getTime() - b.at.getTime())
  // Behind the others, whose contents follow from their place.
  return [...planned, ...planOf(isDemo ? [...heldRows(), ...busyRows] : [])]
    .map(({ row, index, at }, place) => ({
      life: row.life,
      random: createRandom(place * 7919 + shop.key.length),
      wish: {
        merchantKey: shop.key,
        timezone: shop.timezone,
        reference: `${shop.key}-order-${String(place + 1).padStart(4, '0')}`,
        submittedAt: at,
        ...timesOf(row, index, now),
        ...row.traits,
      },
    }))
    .toSorted((a, b) => a.wish.submittedAt.getTime() - b.wish.submittedAt.getTime())
}

function submittedAt({ age: [newest, oldest], count }: PlanRow, index: number, now: Date): Date {
  const hours = newest + ((oldest - newest) * (index + 0.5)) / count
  return new Date(now.getTime() - Math.round(hours * hourMs))
}

function timesOf(
  row: PlanRow,
  index: number,
  now: Date,
): Pick<OrderWish, 'method' | 'windowEndsAt' | 'presaleReadyAt'> {
  const turn = <T>(list: readonly T[]) => list[index % list.length] as T
  const method = turn(row.methods)
  const isPresale = method === 'preorder' || method === 'deposit'
  return {
    method,
    windowEndsAt:
      row.windowEnds === undefined ? undefined : new Date(now.getTime() + turn(row.windowEnds) * minuteMs),
    presaleReadyAt: isPresale ? new Date(now.getTime() + turn(row.presale ?? [5]) * dayMs) : undefined,
  }
}

/** One paid parcel order for every label error, so that a click shows each. */
function sentinelRows(): PlanRow[] {
  return sentinelAddresses.map(({ place, phone }, index) => ({
    life: 'paid',
    methods: ['shipped'],
    count: 1,
    age: [2 + index, 2.5 + index],
    traits: { place, phone, isGift: false },
  }))
}

/** One new parcel for every kind of hold. */
function heldRows(): PlanRow[] {
  return heldPlaces.map((place, index) => ({
    life: 'new',
    methods: ['shipped'],
    count: 1,
    age: [3 + index, 3.5 + index],
    traits: { place, isGift: false },
  }))
}

/** One accepted order for every courier failure. */
function courierSentinelRows(): PlanRow[] {
  return courierSentinels.map(({ street }, index) => ({
    life: 'accepted',
    methods: ['on_demand'],
    count: 1,
    age: [0.4 + index * 0.1, 0.5 + index * 0.1],
    traits: {
      place: { street_1: street, street_2: null, city: 'New York', state: 'NY', zipcode: '10038' },
      hasCourier: true,
    },
  }))
}
