import { addressLines } from '@cellarhand/contract/address-lines'
import { isValidUsPhone, usDigits } from '@cellarhand/contract/phone'
import type { StepDialogProps } from '#orders/public.ts'

type Order = StepDialogProps['order']

/** The way to the door, in the maps that the phone has. */
export function directionsUrl(order: Order): string {
  const query = new URLSearchParams({ api: '1', destination: addressLines(order.recipient).join(', ') })
  return `https://www.google.com/maps/dir/?${query.toString()}`
}

const longestMessage = 320

/** The text for the phone: without a name, and never longer than the wire takes (GAP-115). */
export function directionsMessage(order: Order): string {
  const start = `Directions to order #${order.id}: `
  const whole = start + directionsUrl(order)
  if (whole.length <= longestMessage) return whole
  const { city, state, zipcode, street_1 } = order.recipient
  const place = new URLSearchParams({
    api: '1',
    destination: `${street_1.slice(0, 60)}, ${city.slice(0, 30)}, ${state} ${zipcode}`,
  })
  return `${start}https://www.google.com/maps/dir/?${place.toString()}`.slice(0, longestMessage)
}

/** Formats while typing: (###) ###-####. A number that begins with a plus sign for another country stays as it is. */
export function maskPhone(typed: string): string {
  const text = typed.trimStart()
  if (text.startsWith('+') && !text.startsWith('+1')) return text.replaceAll(/[^\d+]/g, '').slice(0, 16)
  const digits = text.replace(/^\+1/, '').replaceAll(/\D/g, '')
  const own = (digits.length > 10 && digits.startsWith('1') ? digits.slice(1) : digits).slice(0, 10)
  if (own.length < 4) return own === '' ? '' : `(${own}`
  if (own.length < 7) return `(${own.slice(0, 3)}) ${own.slice(3)}`
  return `(${own.slice(0, 3)}) ${own.slice(3, 6)}-${own.slice(6)}`
}

/** With its country code; undefined when it is no US phone (DELIV-018, DELIV-019). */
export function phoneToSend(typed: string): string | undefined {
  return isValidUsPhone(typed) ? `+1${usDigits(typed)}` : undefined
}
