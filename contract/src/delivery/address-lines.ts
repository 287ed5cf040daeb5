export interface Address {
  readonly street_1: string
  readonly street_2: string | null
  readonly street_3: string | null
  readonly city: string
  readonly state: string
  readonly zipcode: string
  /** A store has none: it is in the United States. */
  readonly country?: string | null
}

const ownNames: ReadonlySet<string> = new Set(['', 'us', 'usa', 'unitedstates', 'unitedstatesofamerica'])

/** The country that an address has to name, or undefined at home. */
export function foreignCountry({ country }: Pick<Address, 'country'>): string | undefined {
  const name = (country ?? '').trim()
  return ownNames.has(name.toLowerCase().replaceAll(/[\s.]/g, '')) ? undefined : name
}

/** As people write it: street, city with state and zip, and the country where it is another one. */
export function addressLines(address: Address): string[] {
  const street = [address.street_1, address.street_2, address.street_3].filter(Boolean).join(', ')
  return [
    street,
    `${address.city}, ${address.state} ${address.zipcode}`,
    ...[foreignCountry(address)].filter((country) => country !== undefined),
  ]
}
