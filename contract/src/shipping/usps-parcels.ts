/** How USPS is called besides by its letters. */
const names = /^(?:usps|unitedstatespost|uspost|usmail|postalservice|postoffice)/
/** An international number of the United States, as the Universal Postal Union forms it. */
const international = /^[A-Z]{2}\d{9}US$/
/** The Intelligent Mail package barcode, as it is or after 420 and the zip code. */
const package22 = /^9[1-5]\d{20}$/
const withZip = /^420(?:\d{5}|\d{9})(9[1-5]\d{20})$/

interface TypedParcel {
  /** As a clerk typed it. */
  readonly carrier: string
  readonly number: string
  readonly page?: string | null | undefined
}

/**
 * Whether USPS brings the parcel to the door: by the carrier's name, by the form of its number, or by its own tracking
 * page. Services that other carriers hand to USPS have numbers of the same form.
 */
export function isUspsParcel({ carrier, number, page }: TypedParcel): boolean {
  const code = number.replaceAll(/[\s-]/g, '').toUpperCase()
  const name = carrier.toLowerCase().replaceAll(/[^a-z]/g, '')
  return (
    names.test(name) ||
    international.test(code) ||
    package22.test(withZip.exec(code)?.[1] ?? code) ||
    /^https?:\/\/(?:[a-z0-9-]+\.)*usps\.com(?:[/?#:]|$)/i.test(page?.trim() ?? '')
  )
}
