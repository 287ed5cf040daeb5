import { countingRules, type DutyFacts, type DutyOrder } from './duties-of.ts'

/** The services that rules allow, and the rules' own words. */
export interface AllowedServices {
  readonly services: readonly string[]
  readonly words: string
}

/** A carrier that a rule forbids, and the rule's own words. */
export interface Denial {
  readonly carrier: string
  readonly words: string
}

/** What the rules of a shop ask of a parcel by one carrier. */
export interface CarrierTerms {
  /** The words of the rule that forbids the carrier altogether. */
  readonly forbidden?: string
  /** Every carrier that a rule forbids: an account may sell services of another carrier, too. */
  readonly denied?: readonly Denial[]
  /** Absent where no rule names services: then any will do. */
  readonly allowed?: AllowedServices
}

/** Where several rules name services, as for wine and for spirits in one box, a service has to be on every list. */
export function carrierTermsOf(order: DutyOrder, facts: DutyFacts, carrier: string): CarrierTerms {
  const rules = countingRules(order, facts).flatMap((rule) => (rule.kind === 'carrier_service' ? [rule] : []))
  const isOwn = (other: string) => keyOf(other) === keyOf(carrier)
  const denied = rules.flatMap(({ value, words }) =>
    value.asks === 'deny' ? [{ carrier: value.carrier, words }] : [],
  )
  const denial = denied.find((each) => isOwn(each.carrier))
  const lists = rules.filter(({ value }) => value.asks === 'services' && isOwn(value.carrier))
  const isOnEvery = (service: string) =>
    lists.every(({ value }) =>
      value.services?.some((other) => serviceKey(carrier, other) === serviceKey(carrier, service)),
    )
  return {
    ...(denial && { forbidden: denial.words }),
    ...(denied.length > 0 && { denied }),
    ...(lists.length > 0 && {
      allowed: {
        services: (lists[0]?.value.services ?? []).filter(isOnEvery),
        words: [...new Set(lists.map(({ words }) => words))].join(' '),
      },
    }),
  }
}

/** A provider writes FEDEX_2_DAY where the carrier says "2 Day". */
export function isServiceAllowed(
  allowed: AllowedServices | undefined,
  { carrier, service }: { readonly carrier: string; readonly service: string },
): boolean {
  const key = serviceKey(carrier, service)
  return allowed === undefined || allowed.services.some((other) => serviceKey(carrier, other) === key)
}

/**
 * The services that a carrier hands to another for the last miles, or may hand to it, by a part of their names. UPS and
 * FedEx deliver some of these parcels themselves, but nobody knows which when the label is bought.
 */
const handedOn: Readonly<Record<string, readonly string[]>> = {
  usps: ['surepost', 'groundsaver', 'mailinnovations', 'smartpost', 'groundeconomy'],
}

/** The denial of a carrier that would sell this service, or would bring its parcel to the door. */
export function denialOf(
  denied: readonly Denial[] | undefined,
  { carrier, service }: { readonly carrier: string; readonly service: string },
): Denial | undefined {
  const seller = keyOf(carrier)
  const name = seller + keyOf(service)
  return denied?.find((each) => {
    const key = keyOf(each.carrier)
    // A provider names the carrier with the kind of its account: UPSDAP, USPSShip.
    return seller.startsWith(key) || handedOn[key]?.some((part) => name.includes(part))
  })
}

function serviceKey(carrier: string, service: string): string {
  const key = keyOf(service)
  return key.startsWith(keyOf(carrier)) ? key.slice(keyOf(carrier).length) : key
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
