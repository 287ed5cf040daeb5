import { expect, test } from 'vitest'
import { isUspsParcel } from './usps-parcels.ts'

test.each<[string, Parameters<typeof isUspsParcel>[0], boolean]>([
  ['its letters', { carrier: 'USPS', number: '1' }, true],
  ['its letters with dots', { carrier: 'u.s.p.s. Priority', number: '1' }, true],
  ['its name', { carrier: 'U.S. Postal Service', number: '1' }, true],
  ['its whole name', { carrier: 'United States Postal Service', number: '1' }, true],
  ['a package number', { carrier: 'OnTrac', number: '9400 1000 0000 0000 0000 00' }, true],
  ['a package number with the zip code', { carrier: 'x', number: '420100059205500000000000000000' }, true],
  ['… with the longer zip code', { carrier: 'x', number: '4201000512349205500000000000000000' }, true],
  ['an express number', { carrier: 'Local van', number: 'ea123456789us' }, true],
  ['its page', { carrier: 'x', number: '1', page: 'https://tools.usps.com/go/TrackConfirmAction' }, true],
  ['a FedEx Ground Economy number', { carrier: 'FedEx', number: '9261290000000000000000' }, true],
  ['a FedEx number', { carrier: 'FedEx', number: '794600000000' }, false],
  ['a long FedEx Ground number', { carrier: 'FedEx', number: '9611020000000000000000' }, false],
  ['a UPS number', { carrier: 'UPS', number: '1Z999AA10123456784' }, false],
  ['a number of another post', { carrier: 'Canada Post', number: 'LM123456789CA' }, false],
  ['another page', { carrier: 'x', number: '1', page: 'https://usps.com.example/track' }, false],
  ['another carrier', { carrier: 'OnTrac', number: 'D10011354453707' }, false],
  ['ups', { carrier: 'UPS', number: '1' }, false],
])('%s', (_, parcel, isUsps) => {
  expect(isUspsParcel(parcel)).toBe(isUsps)
})
