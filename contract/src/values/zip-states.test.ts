import { expect, test } from 'vitest'
import { usStates } from './us-states.ts'
import { isZipOfOther } from './zip-states.ts'

const capitals: Record<string, string> = {
  AL: '36104',
  AK: '99801',
  AZ: '85001',
  AR: '72201',
  CA: '95814',
  CO: '80202',
  CT: '06103',
  DE: '19901',
  DC: '20001',
  FL: '32301',
  GA: '30303',
  HI: '96813',
  ID: '83702',
  IL: '62701',
  IN: '46225',
  IA: '50309',
  KS: '66603',
  KY: '40601',
  LA: '70802',
  ME: '04330',
  MD: '21401',
  MA: '02201',
  MI: '48933',
  MN: '55102',
  MS: '39205',
  MO: '65101',
  MT: '59623',
  NE: '68502',
  NV: '89701',
  NH: '03301',
  NJ: '08608',
  NM: '87501',
  NY: '12207',
  NC: '27601',
  ND: '58501',
  OH: '43215',
  OK: '73102',
  OR: '97301',
  PA: '17101',
  RI: '02903',
  SC: '29217',
  SD: '57501',
  TN: '37219',
  TX: '78701',
  UT: '84111',
  VT: '05602',
  VA: '23219',
  WA: '98507',
  WV: '25301',
  WI: '53703',
  WY: '82001',
}

test('the zip code of each capital is one of its state, and of no other', () => {
  expect(Object.keys(capitals).toSorted()).toEqual(usStates.map(([code]) => code).toSorted())
  for (const [state, zip] of Object.entries(capitals))
    for (const [code] of usStates)
      expect([zip, code, isZipOfOther(code, zip)]).toEqual([zip, code, code !== state])
})

test.each<[string, string, boolean | undefined]>([
  ['NY', '12207-1234', false],
  ['NY', '00501', false],
  ['NY', '06390', false],
  ['WY', '83414', false],
  ['VA', '20166', false],
  ['TX', '73301', false],
  ['NY', '84103', true],
  // No state has these.
  ['NY', '00901', undefined],
  ['NY', '96910', undefined],
  ['NY', 'K1A 0B1', undefined],
  ['NY', '', undefined],
])('%s and %s: %s', (state, zip, answer) => {
  expect(isZipOfOther(state, zip)).toBe(answer)
})
