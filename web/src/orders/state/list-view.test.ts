import type { Order } from '@cellarhand/contract/orders'
import { expect, test } from 'vitest'
import { belongsTo, readListSearch, toFilterQuery, viewOf } from './list-view.ts'

test('LIST-017 LIST-018 LIST-019 an address gives only the parts that the list can show', () => {
  const search = {
    status: 'accepted,new,new',
    method: 'on_demand',
    brand: 'app-vine',
    sort: 'asc',
    needs_a_look: '1',
    page: '7',
  }
  expect(readListSearch(search)).toEqual({
    status: 'new,accepted',
    method: 'on_demand',
    brand: 'app-vine',
    sort: 'asc',
    needs_a_look: '1',
  })
  for (const hostile of [
    { status: 'SUBMITTED' },
    { status: ',' },
    { status: '' },
    { status: ['new'] },
    { method: 'On Demand' },
    { method: '<img>' },
    { method: 'x'.repeat(41) },
    { brand: 'a b' },
    { brand: { toString: 'x' } },
    { brand: null },
    { sort: 'up' },
    { needs_a_look: 'yes' },
  ])
    expect([hostile, readListSearch(hostile)]).toEqual([hostile, {}])
  expect(readListSearch({ brand: 4711 })).toEqual({ brand: '4711' })
  // One of them.
  expect(readListSearch({ mine: 'yes', needs_a_look: '1' })).toEqual({ mine: 'yes' })
  expect(readListSearch({ mine: 'yes', due: 'late' })).toEqual({ due: 'late' })
  expect(readListSearch({ mine: 'x' })).toEqual({})
  expect(viewOf('completed', { mine: 'yes' })).not.toHaveProperty('mine')
  expect(toFilterQuery(viewOf('active', { mine: 'yes' }))).toMatchObject({ 'filter[taken_by]': 'me' })
})

test('LIST-017 LIST-018 LIST-019 the request to the server has only the set filters', () => {
  expect(toFilterQuery({ tab: 'on_hold', sort: undefined })).toEqual({ 'filter[tab]': 'on_hold' })
  expect(
    toFilterQuery({
      tab: 'active',
      sort: 'desc',
      status: 'new,printed',
      method: 'deposit',
      brand: 'app-1',
      needs_a_look: '1',
    }),
  ).toEqual({
    'filter[tab]': 'active',
    'filter[application_ref]': 'app-1',
    'filter[delivery_method]': 'deposit',
    'filter[status]': 'new,printed',
    'filter[needs_a_look]': 'true',
    'sort[date]': 'desc',
  })
})

test('LIST-020 GAP-76 the active tab alone is due first, unless its address chooses the date', () => {
  const queryOf = (...view: Parameters<typeof viewOf>) => {
    const { 'filter[tab]': tab, ...sort } = toFilterQuery(viewOf(...view))
    expect(tab).toBe(view[0])
    return sort
  }
  const dueFirst = { 'sort[due]': 'asc' }
  expect(queryOf('active')).toEqual(dueFirst)
  expect(queryOf('active', { sort: 'due' })).toEqual(dueFirst)
  expect(queryOf('active', { sort: 'desc' })).toEqual({ 'sort[date]': 'desc' })
  expect(queryOf('completed')).toEqual({})
  expect(queryOf('completed', readListSearch({ sort: 'due' }))).toEqual({})
  expect(queryOf('completed', { sort: 'asc' })).toEqual({ 'sort[date]': 'asc' })
})

test('an order belongs to a view if it matches all of its filters', () => {
  const order = {
    status: 'SUBMITTED',
    printed_timestamp: '2026-11-21T10:00:00Z',
    application_ref: 'app-1',
    delivery: { method: 'on_demand' },
  } as Order
  const active = { tab: 'active', sort: undefined } as const
  for (const filter of [
    {},
    { status: 'new,printed' },
    { method: 'on_demand' },
    { brand: 'app-1', status: 'printed' },
  ])
    expect([filter, belongsTo({ ...active, ...filter }, order)]).toEqual([filter, true])
  for (const filter of [
    { tab: 'on_hold' as const },
    { status: 'new' },
    { method: 'scheduled' },
    { brand: 'app-2' },
  ])
    expect([filter, belongsTo({ ...active, ...filter }, order)]).toEqual([filter, false])
})

test('an order needs a look while a rule stands against it, or its check is missing', () => {
  const looks = (order: object) =>
    belongsTo({ tab: 'status' in order ? 'completed' : 'active', sort: undefined, needs_a_look: '1' }, {
      status: 'SUBMITTED',
      printed_timestamp: null,
      delivery: { method: 'shipped' },
      ...order,
    } as Order)
  const duty = { rule: 'A', kind: 'destination', words: 'x' }
  expect(looks({})).toBe(false)
  expect(looks({ duties: { block: [], must: [duty] } })).toBe(false)
  expect(looks({ duties: { block: [duty], must: [] } })).toBe(true)
  const closed = { status: 'CLOSED', delivery: { method: 'on_demand' } }
  expect(looks({ ...closed, duties: { block: [duty], must: [] } })).toBe(false)
  expect(looks({ ...closed, duties: { block: [], must: [], missing: [] } })).toBe(false)
  expect(looks({ ...closed, duties: { block: [], must: [], missing: [duty] } })).toBe(true)
})
