import { expect, test } from 'vitest'
import { addressLines } from './address-lines.ts'

const door = {
  street_1: '1 Quai',
  street_2: 'Apt 2',
  street_3: null,
  city: 'Montréal',
  state: 'QC',
  zipcode: 'H2Y',
}

test('an address names its country where that is another one', () => {
  expect(addressLines({ ...door, country: 'Canada' })).toEqual([
    '1 Quai, Apt 2',
    'Montréal, QC H2Y',
    'Canada',
  ])
  for (const country of [
    'US',
    'usa',
    'U.S.A.',
    'United States',
    'UNITED STATES OF AMERICA',
    ' ',
    null,
    undefined,
  ])
    expect(addressLines({ ...door, ...(country === undefined ? {} : { country }) })).toHaveLength(2)
})
