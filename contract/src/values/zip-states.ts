/** The first three digits of each state's zip codes. A few codes cross a state's line: they are those of their post office. */
const starts: Readonly<Record<string, string>> = {
  AL: '350-369',
  AK: '995-999',
  AZ: '850-865',
  AR: '716-729',
  CA: '900-961',
  CO: '800-816',
  CT: '060-069',
  DE: '197-199',
  DC: '200,202-205,569',
  FL: '320-349',
  GA: '300-319,398-399',
  HI: '967-968',
  ID: '832-838',
  IL: '600-629',
  IN: '460-479',
  IA: '500-528',
  KS: '660-679',
  KY: '400-427',
  LA: '700-714',
  ME: '039-049',
  MD: '206-219',
  MA: '010-027,055',
  MI: '480-499',
  MN: '550-567',
  MS: '386-397',
  MO: '630-658',
  MT: '590-599',
  NE: '680-693',
  NV: '889-898',
  NH: '030-038',
  NJ: '070-089',
  NM: '870-884',
  NY: '005,100-149,063',
  NC: '270-289',
  ND: '580-588',
  OH: '430-459',
  OK: '730-749',
  OR: '970-979',
  PA: '150-196',
  RI: '028-029',
  SC: '290-299',
  SD: '570-577',
  TN: '370-385',
  TX: '733,750-799,885',
  UT: '840-847',
  VT: '050-059',
  VA: '201,220-246',
  WA: '980-994',
  WV: '247-268',
  WI: '530-549',
  WY: '820-831,834',
}

const ranges = Object.entries(starts).flatMap(([state, text]) =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.split('-')
    return { state, first, last }
  }),
)

/** Whether the zip code is one of another state. Undefined where no state is known to have it. */
export function isZipOfOther(state: string, zip: string): boolean | undefined {
  const start = /^\d{3}/.exec(zip)?.[0]
  if (start === undefined) return undefined
  const owners = ranges.filter(({ first, last }) => first <= start && start <= last)
  return owners.length === 0 ? undefined : owners.every((owner) => owner.state !== state)
}
