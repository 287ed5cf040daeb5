import { chosenOf } from '@cellarhand/contract/agreed-order'
import type { CustomersOffer } from './reads.ts'
import { piecesWords, silencePromise, timeWords } from './words.ts'

interface EndWords {
  readonly title: string
  readonly text: string
}

/** The page of a question that takes no answer any more. */
export function endWords(found: CustomersOffer, nowMs: number): EndWords {
  const { state, offer } = found
  switch (state) {
    case 'chosen':
    case 'declined':
      return answerWords(found, nowMs)
    case 'silent':
    case 'late':
      return {
        title: 'The time to answer is over',
        text: `without an answer, ${silencePromise(offer)}. ${offer.silence === 'reject' ? '' : endOfOrder(found)}If that is not right for you, please call the shop.`,
      }
    case 'withdrawn':
    case 'unreached':
      return { title: 'This question was taken back', text: 'you need not choose anything.' }
    default:
      return {
        title: 'The order has changed since',
        text: `there is nothing to choose any more. ${endOfOrder(found)}You hear of the order where you placed it.`,
      }
  }
}

/** Silence about another line can reject the whole order, and this answer with it. */
function answerWords(found: CustomersOffer, nowMs: number): EndWords {
  const { offer, others, timezone } = found
  const bottle = chosenOf(offer)?.line.name
  const taken = bottle === undefined ? undefined : `${offer.missing} × ${bottle}`
  const end = endOfOrder(found)
  if (end !== '')
    return {
      title: 'The order has ended since',
      text: `you answered: ${taken ?? 'no other bottle'}. ${end}Your answer counts no more. You hear of your money where you placed the order.`,
    }
  const [next] = others.toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until))
  const open =
    next === undefined
      ? ''
      : ` There is another question about this order, in a message of its own: ${piecesWords(next)}. Please answer it by ${timeWords(next.until, { timezone, nowMs })}. Without an answer ${silencePromise(next)}.`
  return {
    title: 'Thank you, we have your answer',
    text: `${taken === undefined ? `you get the money for ${piecesWords(offer)} back` : `you take ${taken}`}. The answer cannot be changed here.${open}`,
  }
}

function endOfOrder({ orderStatus }: CustomersOffer): string {
  if (orderStatus === 'MERCHANT_REJECTED') return 'The shop has rejected the order since. '
  if (orderStatus === 'REFUNDED') return 'The order has ended since, and was refunded. '
  return orderStatus === 'CANCELLED' ? 'The order was cancelled since. ' : ''
}
