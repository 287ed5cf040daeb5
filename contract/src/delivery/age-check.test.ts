import { expect, test } from 'vitest'
import { deliveredWords, idCheckWords, isCheckedAs, readingWords } from './age-check.ts'
import type { AgeCheck } from './age-check-fields.ts'
import { orderStatuses } from '../orders/order-statuses.ts'

const delivery_info = { delivered_on: '2026-11-21T20:30:00Z' }
const local = { delivery: { method: 'on_demand' }, delivery_info }
const check = (result: AgeCheck['result']) => ({ age_check: { result } })

test.each<[string, object, string]>([
  ['no check on record', {}, 'Delivered, ID check not recorded'],
  ['null on record', { age_check: null }, 'Delivered, ID check not recorded'],
  ['passed', check('passed'), 'Delivered, ID checked'],
  ['nobody there at an earlier visit', check('not_made'), 'Delivered, ID check not recorded'],
  // A refused order was not delivered: the check belongs to an earlier visit.
  ['refused at an earlier visit', check('refused'), 'Delivered, ID check not recorded'],
])('a closed local order with %s', (_name, record, words) => {
  expect(deliveredWords({ ...local, status: 'CLOSED', ...record })).toBe(words)
  expect(deliveredWords({ ...local, delivery: { method: 'scheduled' }, status: 'CLOSED', ...record })).toBe(
    words,
  )
})

test.each<[string, object, string]>([
  ['no check on record', {}, 'Deliver, check ID'],
  ['a check that was saved before closing', check('passed'), 'Deliver, ID checked'],
  ['a refusal', check('refused'), 'Deliver, check ID (ID refused before)'],
  ['nobody there', check('not_made'), 'Deliver, check ID'],
])('a local order still to be delivered, with %s', (_name, record, words) => {
  for (const status of orderStatuses.filter((each) => each !== 'CLOSED'))
    expect(deliveredWords({ ...local, status, ...record })).toBe(words)
})

test('a parcel says nothing about an ID, because its carrier checks it', () => {
  for (const status of orderStatuses)
    expect(
      deliveredWords({ delivery: { method: 'shipped' }, delivery_info, status, ...check('passed') }),
    ).toBe('Delivered')
})

test.each(['shipped', 'on_demand'])('an order (%s) that was closed without word of a delivery', (method) => {
  for (const none of [null, { delivered_on: null }])
    expect(
      deliveredWords({ delivery: { method }, delivery_info: none, status: 'CLOSED', ...check('passed') }),
    ).toBe('Closed, delivery not reported')
})

test('no words claim a check without a record of one', () => {
  for (const record of [{}, check('refused'), check('not_made')]) {
    expect(idCheckWords(record)).not.toBe('ID checked')
    for (const status of orderStatuses)
      expect(deliveredWords({ ...local, status, ...record })).not.toContain('ID checked')
  }
})

test('what the dates of an ID said, and how they were read', () => {
  expect(readingWords({ how: 'scanned', is_over_21: true, is_expired: false })).toBe(
    'ID scanned: 21 or over, not expired',
  )
  expect(readingWords({ how: 'typed', is_over_21: false, is_expired: true })).toBe(
    'ID typed: under 21, expired',
  )
})

test('a rule that asks for a scan takes neither an ID that was only seen, nor typed dates', () => {
  const reading = (how: 'scanned' | 'typed') => ({ reading: { how, is_over_21: true, is_expired: false } })
  const checks = [
    { result: 'passed' },
    { result: 'passed', ...reading('typed') },
    { result: 'passed', ...reading('scanned') },
    { result: 'refused', ...reading('scanned') },
    null,
  ] as const
  const met = (duty: { is_electronic?: boolean }) => checks.map((each) => isCheckedAs(duty, each))
  expect(met({})).toEqual([true, true, true, false, false])
  expect(met({ is_electronic: true })).toEqual([false, false, true, false, false])
})
