import { expect, test } from 'vitest'
import { usStates } from '../values/us-states.ts'
import {
  billingPaths,
  billingProblems,
  descriptor,
  ein,
  routingNumber,
  routingNumberDoubt,
  type BillingPath,
} from './billing-rules.ts'

test('BILL-009 a routing number is nine digits; one that fails the banks’ own check is taken with a warning', () => {
  const right = ['021000021', '121000248', '011401533', '322271627']
  const doubtful = ['123456789', '021000022', '120000021', '000000000']
  for (const number of [...right, ...doubtful]) expect(routingNumber(number)).toBeUndefined()
  for (const bad of ['', '02100002', '0210000210', '02100002x', '０21000021'])
    expect([bad, routingNumber(bad)]).toEqual([bad, 'Please enter a valid routing number'])
  for (const number of [...right, '', '02100002']) expect(routingNumberDoubt(number)).toBeUndefined()
  for (const number of doubtful) expect(routingNumberDoubt(number)).toMatch(/Please check it/)
})

test('BILL-010 BILL-013 a descriptor has at most 22 characters, an EIN nine digits with or without dashes', () => {
  expect(descriptor('x'.repeat(22))).toBeUndefined()
  expect(descriptor('x'.repeat(23))).toBe('Please use at most 22 characters')
  for (const good of ['12-3456789', '123456789', '1-2-3-4-5-6-7-8-9']) expect(ein(good)).toBeUndefined()
  for (const bad of ['', '12-345678', '12-34567890', 'ab-cdefghi'])
    expect(ein(bad)).toBe('Please enter a valid EIN')
})

test('BILL-012 the fifty states and the District of Columbia, sorted by name', () => {
  expect(usStates).toHaveLength(51)
  const names = usStates.map(([, name]) => name)
  expect(names).toEqual(names.toSorted())
  expect(new Set(usStates.map(([code]) => code)).size).toBe(51)
})

test('BILL-008 every field of the form is required', () => {
  const empty = Object.fromEntries(billingPaths.map((path) => [path, ' '])) as Record<BillingPath, string>
  const problems = billingProblems(empty)
  expect(Object.keys(problems)).toEqual(billingPaths)
  for (const problem of Object.values(problems)) expect(problem).toMatch(/^Please enter your /)
  expect(problems['business.dba_name']).toBe('Please enter your DBA name')
  expect(problems['business.tax_id']).toBe('Please enter your EIN')
  expect(problems['business.legal_name']).toBe('Please enter your legal name')
})
