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

test.each([
  'PO Box 1187',
  'P.O. Box 12',
  'p o box #4',
  'POB 5',
  'P.O.B. 17',
  ' P.O.  Box  # A-12, Rear',
  'Post Office Box 9',
  'Postal Box 31',
  'Box 77',
  'Box B-4',
  '12 Main St, PO Box 44',
  'Apt 3 P.O. Box 9',
  'c/o Rivera (PO Box 8)',
  '12 Main St POBox 44',
  '12 Main St; P.O.Box No. 44',
  'Suite 2/P.O. BX 6',
  'PO Box: AB12',
  'P0 Box 318',
  'PO Drawer 5',
  'ＰＯ Ｂｏｘ 44',
  'PO-Box 12',
  'P.O.-Box A-12',
  'Post-Office Box 12',
  'P_O_Box 12',
  'P•O• Box 12',
  'P.O. “Box” 12',
  'PO Box *12',
  'P.O. Box - 12',
  'PO Box –12',
  'P\u00ad.O.\u200b Box 12',
])('%s is a post-office box', (street) => {
  expect(isPoBox(street)).toBe(true)
})

test.each([
  '12 Box Elder Rd',
  'Boxwood 3',
  'Box Elder 12',
  'Box Hill',
  '14 Box Hill Rd, Apt 9',
  '1 Post Office Sq',
  '5 Post Office Road 12',
  'Pobox Lane 4',
  '3 Pobox Lane',
  'PO Box',
  '9 Postbox Lane 2',
  '18 Shop O Box 4',
  '7 Po Boxwood Ct 3',
  // A person signs there.
  'RR 2 Box 152',
  '120 Spring St, Box 9',
  'Apt 3, P Building 9',
  '2 Poblano Way 44',
  'Box-Elder Lane 12',
  '3 Box-Hill 12',
  '1-B Post-Office Road 12',
])('%s is none', (street) => {
  expect(isPoBox(street)).toBe(false)
})
