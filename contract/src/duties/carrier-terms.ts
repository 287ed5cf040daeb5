import { countingRules, type DutyFacts, type DutyOrder } from './duties-of.ts'

/** The services that rules allow, and the rules' own words. */
export interface AllowedServices {
  readonly services: readonly string[]
  readonly words: string
}

/** What the rules of a shop ask of a parcel by one carrier. */
export interface CarrierTerms {
  /** The words of the rule that forbids the carrier altogether. */
  readonly forbidden?: string
  /** Absent where no rule names services: then any will do. */
  readonly allowed?: AllowedServices
}

/** Where several rules name services, as for wine and for spirits in one box, a service has to be on every list. */
export function carrierTermsOf(order: DutyOrder, facts: DutyFacts, carrier: string): CarrierTerms {
  const rules = countingRules(order, facts).flatMap((rule) =>
    rule.kind === 'carrier_service' && keyOf(rule.value.carrier) === keyOf(carrier) ? [rule] : [],
  )
  const denial = rules.find(({ value }) => value.asks === 'deny')
  const lists = rules.filter(({ value }) => value.asks === 'services')
  const isOnEvery = (service: string) =>
    lists.every(({ value }) =>
      value.services?.some((other) => serviceKey(carrier, other) === serviceKey(carrier, service)),
    )
  return {
    ...(denial && { forbidden: denial.words }),
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

function serviceKey(carrier: string, service: string): string {
  const key = keyOf(service)
  return key.startsWith(keyOf(carrier)) ? key.slice(keyOf(carrier).length) : key
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
