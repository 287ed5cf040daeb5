import { chosenOf, titleOfSubstitute } from '@cellarhand/contract/agreed-order'
import { formatDollars } from '@cellarhand/contract/money'
import type { Substitute, SubstituteOffer } from '@cellarhand/contract/substitute-fields'
import { dayIn } from '#platform/clock/zoned-time.ts'
import type { Letter } from '#platform/mail/letter.ts'

/** A comment holds two names of this length and its own words. */
const longestName = 100

function short(name: string): string {
  const letters = [...name]
  return letters.length > longestName ? `${letters.slice(0, longestName - 1).join('')}…` : name
}

function namesOf(offered: readonly Substitute[]): string {
  return offered.map((substitute) => short(titleOfSubstitute(substitute))).join(' or ')
}

interface Zoned {
  readonly timezone: string
  readonly nowMs: number
}

/** "7:40 PM", with the day if it is another one. */
export function timeWords(moment: string, { timezone, nowMs }: Zoned): string {
  const atMs = Date.parse(moment)
  const isToday = dayIn(atMs, timezone) === dayIn(nowMs, timezone)
  return new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hour: 'numeric',
    minute: '2-digit',
    ...(!isToday && { month: 'short', day: 'numeric' }),
  })
    .format(atMs)
    .replaceAll('\u202F', ' ')
}

export function offeredWords({ offered, until }: SubstituteOffer, at: Zoned): string {
  return `Offered ${namesOf(offered)}; the customer has until ${timeWords(until, at)}`
}

export function answeredWords(offer: SubstituteOffer): string {
  const chosen = chosenOf(offer)
  if (offer.state === 'silent') {
    if (offer.silence === 'reject') return 'The customer did not answer about a substitute'
    return chosen
      ? `No answer from the customer: take ${short(titleOfSubstitute(chosen))}, as the shop has set`
      : `No answer from the customer: refund ${short(offer.name)}, as the shop has set`
  }
  return chosen
    ? `The customer takes ${short(titleOfSubstitute(chosen))} for ${short(offer.name)}`
    : `The customer wants no substitute for ${short(offer.name)}: refund it`
}

export function unreachedWords({ name }: SubstituteOffer): string {
  return `The message about a substitute for ${short(name)} did not reach the customer`
}

export interface Asked {
  readonly shop: string
  readonly orderId: string
  readonly offer: SubstituteOffer
  readonly timezone: string
  readonly nowMs: number
  readonly url: string
}

export function piecesWords({ missing, name }: Pick<SubstituteOffer, 'missing' | 'name'>): string {
  return `${missing} × ${name}`
}

export function textOf({ shop, orderId, offer, url, ...zoned }: Asked): string {
  return `${shop.slice(0, 60)}: ${short(piecesWords(offer))} of your order #${orderId} ${offer.missing === 1 ? 'is' : 'are'} out of stock. Choose another bottle or a refund by ${timeWords(offer.until, zoned)}: ${url}`
}

const silenceWords = {
  refund: 'we refund what is missing',
  take_first: 'we send the first of them that costs you nothing more, or refund what is missing',
  reject: 'we cannot fill the order, and you get your money back',
}

export function silencePromise({ silence }: SubstituteOffer): string {
  return silenceWords[silence]
}

export function differenceWords(difference: number): string {
  if (difference === 0) return 'Same price'
  const amount = formatDollars(Math.abs(difference))
  return difference > 0 ? `${amount} more per bottle` : `${amount} less per bottle`
}

export function letterOf({ shop, orderId, offer, url, ...zoned }: Asked): Letter {
  return {
    subject: `A bottle of your order #${orderId} is out of stock`,
    greeting: 'Hello,',
    paragraphs: [
      `${shop} does not have ${piecesWords(offer)} of your order #${orderId}.`,
      `You can have another bottle in its place: ${offer.offered.map(({ line, price, difference }) => `${line.name}, ${formatDollars(price)} (${differenceWords(difference).toLowerCase()})`).join(', or ')}. Or you get the money for it back.`,
      `Please choose by ${timeWords(offer.until, zoned)}. Without an answer ${silencePromise(offer)}.`,
    ],
    button: { label: 'Choose', url },
    footnote: 'You get this mail because you ordered there. The link is for this question alone.',
  }
}
