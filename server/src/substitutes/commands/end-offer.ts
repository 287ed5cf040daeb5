import { silentChoice } from '@cellarhand/contract/agreed-order'
import { rejectOrder } from '#orders/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { closeRow, ended, lockOpenOffer, shopSettings, writeOffer } from '../change-offers.ts'
import type { OfferKey } from '../reads.ts'
import { answeredWords, unreachedWords } from '../words.ts'

interface Overdue extends OfferKey {
  /** Whether the message left, as far as is known, and did not come back. */
  readonly isTold: boolean
}

/** The customer has not answered in time: what the shop has set counts. Answers whether anything changed. */
export async function endSilence(statements: Statements, { isTold, ...key }: Overdue): Promise<boolean> {
  const open = await lockOpenOffer(statements, key)
  if (open === undefined || Date.parse(open.offer.until) > statements.clock.nowMs()) return false
  if (!isTold) return failMessage(statements, key)
  const { locked, offer } = open
  const outcome = { state: 'silent', choice: silentChoice(offer) } as const
  await closeRow(statements, key, outcome)
  const silent = ended(statements, offer, outcome)
  const comment = answeredWords(silent)
  await writeOffer(statements, key.merchantId, {
    locked,
    offer: silent,
    action: 'miss_substitutes_answer',
    actor: shopSettings,
    comment,
  })
  if (offer.silence === 'reject')
    await rejectOrder(
      statements,
      { ...key, actor: shopSettings },
      { reason: { code: 'other', value: comment } },
    )
  return true
}

/** No message has arrived: silence would say nothing. The shop may ask again. */
export async function failMessage(statements: Statements, key: OfferKey): Promise<boolean> {
  const open = await lockOpenOffer(statements, key)
  if (open === undefined) return false
  const { locked, offer } = open
  const outcome = { state: 'unreached', choice: null } as const
  await closeRow(statements, key, outcome)
  await writeOffer(statements, key.merchantId, {
    locked,
    offer: ended(statements, offer, outcome),
    action: 'fail_substitutes_message',
    actor: shopSettings,
    comment: unreachedWords(offer),
  })
  return true
}
