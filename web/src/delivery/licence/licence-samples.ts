import type { Licence } from './read-licence.ts'

/** An invented card, for the tests. */
export interface Sample {
  readonly name: string
  readonly version: number
  readonly header: 'ANSI ' | 'AAMVA'
  readonly issuer: string
  readonly part: 'DL' | 'EN' | 'ID'
  /** The text before the first element, where it is not the part's name alone. */
  readonly before?: string
  readonly elements: Record<string, string>
  /** An element more. */
  readonly more?: string
  /** The state's own part. */
  readonly own?: string
  readonly means: Licence
}

const person = { DAQ: 'X0000017', DCS: 'SAMPLE', DAC: 'ROWAN', DAG: '7 INVENTED WAY', DAI: 'NOWHERE' }
const us = { ...person, DBB: '01311985', DBD: '02022022', DBA: '01312031', DAK: '940000000', DCG: 'USA' }
const canadian = {
  ...person,
  DBB: '19850131',
  DBD: '20220202',
  DBA: '20310131',
  DAK: 'K1A0B1',
  DCG: 'CAN',
}
const means = { kind: 'driver_license', born: '1985-01-31', expires: '2031-01-31' } as const
const first = {
  ...person,
  DAA: 'SAMPLE,ROWAN',
  DBB: '19850131',
  DBD: '20220202',
  DBA: '20310131',
  DAK: '94000',
}

export const samples: readonly Sample[] = [
  { name: 'version 1', version: 1, header: 'ANSI ', issuer: '636025', part: 'DL', elements: first, means },
  {
    name: 'version 1 with the other header and a second part',
    version: 1,
    header: 'AAMVA',
    issuer: '636000',
    part: 'DL',
    elements: first,
    own: 'ZVZVA01',
    means,
  },
  {
    name: 'version 2, an ID card',
    version: 2,
    header: 'ANSI ',
    issuer: '636014',
    part: 'ID',
    elements: us,
    means: { ...means, kind: 'state_id' },
  },
  ...[3, 4, 5, 6, 7].map((version) => ({
    name: `version ${version}`,
    version,
    header: 'ANSI ' as const,
    issuer: '636014',
    part: 'DL' as const,
    elements: { ...us, DDJ: '01312006' },
    own: 'ZCZCABRN\nZCBBLK',
    means,
  })),
  {
    name: 'version 8 of Canada',
    version: 8,
    header: 'ANSI ',
    issuer: '636012',
    part: 'DL',
    elements: canadian,
    means,
  },
  {
    name: 'version 9, an enhanced licence',
    version: 9,
    header: 'ANSI ',
    issuer: '636045',
    part: 'EN',
    elements: us,
    means,
  },
  {
    name: 'version 1 that writes its dates as later versions do, and no name of the part',
    version: 1,
    header: 'AAMVA',
    issuer: '636006',
    part: 'DL',
    before: '',
    elements: { ...first, DAA: 'SAMPLE,ROWAN,,', DBB: '01311985', DBD: '02022022', DBA: '01312031' },
    means,
  },
  {
    name: 'version 2 of Canada, with a French name',
    version: 2,
    header: 'ANSI ',
    issuer: '604428',
    part: 'DL',
    elements: { ...canadian, DCS: 'ÉCHANTILLON', DAK: 'H2X 1Y4' },
    means,
  },
  {
    name: 'version 3 with given names in one element, and an empty part of the state',
    version: 3,
    header: 'ANSI ',
    issuer: '636032',
    part: 'DL',
    elements: { DCA: '', DCT: 'ROWAN,ALEX', ...us, DAK: '94000' },
    own: 'ZM',
    means,
  },
  {
    name: 'version 8 with cut names, a word for a date, and a sign of the header in the address',
    version: 8,
    header: 'ANSI ',
    issuer: '636011',
    part: 'ID',
    before: 'ID\n',
    elements: {
      DCA: 'D',
      ...us,
      DAK: '94000-0000',
      DAH: 'FLAT 2 @ THE MILL',
      DDE: 'T',
      DDF: 'N',
      DDG: 'U',
      DDC: 'NONE',
      DDH: '01312003',
      DDI: '01312004',
      DDJ: '01312006',
      DDK: '1',
    },
    own: 'ZDZDA',
    means: { ...means, kind: 'state_id' },
  },
  { name: 'version 10', version: 10, header: 'ANSI ', issuer: '636020', part: 'DL', elements: us, means },
]

const virginian = {
  DAQ: 'T64235789',
  DCS: 'SAMPLE',
  DDE: 'N',
  DAC: 'MICHAEL',
  DDF: 'N',
  DAD: 'JOHN',
  DDG: 'N',
  DCU: 'JR',
  DCA: 'D',
  DCB: 'K',
  DCD: 'PH',
  DBD: '06062008',
  DBB: '06061986',
  DBA: '12102012',
  DBC: '1',
  DAU: '068 in',
  DAY: 'BRO',
  DAG: '2300 WEST BROAD STREET',
  DAI: 'RICHMOND',
  DAJ: 'VA',
  DAK: '232690000  ',
  DCF: '2424244747474786102204',
  DCG: 'USA',
  DCK: '123456789',
  DDA: 'F',
  DDB: '06062008',
  DDC: '06062009',
  DDD: '1',
}
const john = { DAQ: '0123456789ABC', DAA: 'PUBLIC,JOHN,Q', DAG: '123 MAIN STREET', DAI: 'ANYTOWN', DAJ: 'VA' }

/**
 * The data of the example cards in AAMVA's standards, as public copies have them: of 2000 (version 1, whose list of
 * parts there says one sign less), and of 2009 to 2016 (4 to 9), which differ in the version alone.
 */
export const examples: readonly (Sample & { list: string })[] = [
  {
    name: 'version 1',
    version: 1,
    header: 'ANSI ',
    issuer: '636000',
    part: 'DL',
    elements: {
      ...john,
      DAK: '123459999  ',
      DAR: 'DM  ',
      DAS: '          ',
      DAT: '     ',
      DAU: '509',
      DAW: '175',
      DAY: 'BL ',
      DAZ: 'BR ',
      DBA: '20011201',
      DBB: '19761123',
      DBC: 'M',
      DBD: '19961201',
    },
    own: 'ZVZVAJURISDICTIONDEFINEDELEMENT',
    list: 'DL00390187ZV02260032',
    means: { kind: 'driver_license', born: '1976-11-23', expires: '2001-12-01' },
  },
  ...[4, 5, 6, 7, 8, 9].map((version) => ({
    name: `version ${version}`,
    version,
    header: 'ANSI ' as const,
    issuer: '636000',
    part: 'DL' as const,
    elements: virginian,
    own: 'ZVZVA01',
    list: 'DL00410278ZV03190008',
    means: { kind: 'driver_license' as const, born: '1986-06-06', expires: '2012-12-10' },
  })),
]

/** The text in the barcode, with the lengths and positions that the standard asks for. */
export function textOf({
  version,
  header,
  issuer,
  part,
  before = part,
  elements,
  more,
  own,
}: Sample): string {
  const lines = Object.entries(elements).map(([id, value]) => `${id}${value}`)
  const bodies = [
    `${before}${[...lines, ...(more ? [more] : [])].join('\n')}\r`,
    ...(own ? [`${own}\r`] : []),
  ]
  const two = (figure: number) => String(figure).padStart(2, '0')
  const four = (figure: number) => String(figure).padStart(4, '0')
  const start = `@\n\x1e\r${header}${issuer}${two(version)}${version === 1 ? '' : '00'}${two(bodies.length)}`
  let at = start.length + 10 * bodies.length
  const list = bodies.map((body, index) => {
    const name = index === 0 ? part : body.slice(0, 2)
    const entry = `${name}${four(at)}${four(body.length)}`
    at += body.length
    return entry
  })
  return start + list.join('') + bodies.join('')
}
