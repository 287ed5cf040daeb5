import type { LabelCarrier } from '@cellarhand/contract/carriers'

export type Digits = (count: number) => string

/** A number that the carrier's own scanners would accept, with its check digit. */
export function makeTrackingNumber(carrier: LabelCarrier, digits: Digits): string {
  switch (carrier) {
    case 'UPS':
      return withUpsCheck(`1ZCH04A2${digits(9)}`)
    case 'FedEx':
      return withFedexCheck(`7${digits(10)}`)
    case 'GSO':
      return withGsoCheck(`5${digits(8)}`)
  }
}

/** 1Z and 15 characters; letters count as digits, and every second one counts double. */
function withUpsCheck(body: string): string {
  const values = Array.from(body.slice(2), (character) =>
    /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10,
  )
  const sum = values.reduce((total, value, index) => total + value * (index % 2 === 0 ? 1 : 2), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

/** Eleven digits with the weights 3, 1 and 7 in turn; the last digit of the remainder after division by 11. */
function withFedexCheck(body: string): string {
  return `${body}${(weighed(body, [3, 1, 7]) % 11) % 10}`
}

/** Nine digits with the weights 3 and 1, filled up to a multiple of ten. */
function withGsoCheck(body: string): string {
  return `${body}${(10 - (weighed(body, [3, 1]) % 10)) % 10}`
}

function weighed(body: string, weights: readonly number[]): number {
  return [...body].reduce(
    (sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0),
    0,
  )
}
