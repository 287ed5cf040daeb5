import { formatPhone } from '@cellarhand/contract/phone'

/** Rings the number on a device that can. */
export function PhoneLink({ number }: { number: string }) {
  return <a href={`tel:${number.replaceAll(/[^+\d]/g, '')}`}>{formatPhone(number)}</a>
}
