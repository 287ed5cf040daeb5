import { formatDollars } from '@cellarhand/contract/money'
import type { Statements } from '#platform/db/database.ts'
import { closeRow, customer, ended, lockOpenOffer, writeOffer } from '../change-offers.ts'
import type { OfferKey } from '../reads.ts'
import { answeredWords } from '../words.ts'

export const noSubstitute = 'none'

/**
 * The customer's answer: one of the offered bottles, or none. Answers whether it was one; the first answer counts, and a
 * later one, or one after the time, changes nothing.
 */
export async function answerOffer(
  statements: Statements,
  key: OfferKey,
  choice: string | undefined,
): Promise<boolean> {
  const open = await lockOpenOffer(statements, key)
  if (open === undefined) return true
  const { locked, offer } = open
  if (Date.parse(offer.until) <= statements.clock.nowMs()) return true
  const chosen = offer.offered.find(({ offering_id: id }) => id === choice)
  if (chosen === undefined && choice !== noSubstitute) return false
  const outcome = {
    state: chosen === undefined ? 'declined' : 'chosen',
    choice: chosen?.offering_id ?? null,
  } as const
  await closeRow(statements, key, outcome)
  const answered = ended(statements, offer, outcome)
  await writeOffer(statements, key.merchantId, {
    locked,
    offer: answered,
    action: chosen === undefined ? 'decline_substitutes' : 'choose_substitute',
    actor: customer,
    comment: answeredWords(answered),
    ...(chosen && { details: { price: formatDollars(chosen.price) } }),
  })
  return true
}
