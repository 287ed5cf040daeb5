import { expect, test } from 'vitest'
import { isApologyDue, isPoBox, labelErrorText, noteLabelError } from './label-errors.ts'

const minute = 60_000

test('ERR-008 ERR-009 ERR-010 ERR-011 ERR-012 ERR-013 ERR-014 ERR-015 ERR-016 every failed purchase has its own words', () => {
  const network =
    'A network error has occurred. Please try again in 15-20 minutes or contact your Thirstie Sales Associate.'
  const said = (code?: string, errors?: unknown) => labelErrorText({ code, errors })
  expect(said('general')).toBe('An error occurred, please contact Thirstie Support.')
  for (const code of ['carrier_not_responding', 'rates_failed', 'rates_unavailable'])
    expect(said(code)).toBe(network)
  expect(said('invalid_street')).toBe('This address is invalid. Please contact Thirstie Support.')
  expect(said('po_box')).toBe('Cannot ship to a PO Box. Please contact Thirstie Support.')
  expect(said('missing_phone')).toBe('Recipient phone number is required. Please contact Thirstie Support.')
  expect(said('account_unauthorized')).toBe(
    'A carrier account error occurred, please contact your Thirstie Sales Associate to resolve the issue.',
  )
  expect(said('user_locked_out')).toBe('User is locked out. Please try again in 30 minutes.')
  expect(said('label_refused', [{ carrier: 'UPS', message: 'Too heavy.' }])).toBe('UPS: Too heavy.')
  expect(said('toString', [{ message: 'Too heavy.' }])).toBe('Too heavy.')
  for (const errors of [undefined, [], 'x', [{}], [null]])
    expect(said(undefined, errors)).toBe('An error occurred, please contact Thirstie Support.')
})

test('ERR-017 ERR-018 the tenth error within four hours brings the apology, and ten are stored', () => {
  let times: number[] = []
  for (let index = 0; index < 9; index++) times = noteLabelError(times, index * minute)
  expect(isApologyDue(times, 9 * minute)).toBe(false)
  times = noteLabelError(times, 9 * minute)
  expect(isApologyDue(times, 9 * minute)).toBe(true)
  expect(isApologyDue(times, 14_400_000)).toBe(false)
  times = noteLabelError(times, 20 * minute)
  expect([times.length, times[0]]).toEqual([10, minute])
})

test('a post-office box differs from a street', () => {
  for (const street of [
    'PO Box 1187',
    'P.O. Box 12',
    'p o box #4',
    'POB 5',
    ' P.O.  Box  # A-12, Rear',
    'Post Office Box 9',
    'Box 77',
  ])
    expect([street, isPoBox(street)]).toEqual([street, true])
  for (const street of ['12 Box Elder Rd', 'Boxwood 3', 'Box Elder 12', '1 Post Office Sq', 'PO Box'])
    expect([street, isPoBox(street)]).toEqual([street, false])
})
