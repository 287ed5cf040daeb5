interface Place {
  readonly street_1: string
  readonly street_2: string | null
  readonly city: string
  readonly state: string
  readonly zipcode: string
}

/** An address that makes the sandbox carrier refuse a label, and the error code of that refusal. */
export interface SentinelAddress {
  readonly code: string
  readonly place: Place
  /** Undefined means any phone; null means that the recipient has none. */
  readonly phone?: null
}

const at = (street_1: string, street_2: string | null = null): Place => ({
  street_1,
  street_2,
  city: 'Albany',
  state: 'NY',
  zipcode: '12207',
})

export const lateAnswerStreet = '408 Late Answer Road'
export const noPaperStreet = '204 No Paper Road'

/**
 * All addresses that cause label errors (GAP-118). The sandbox carrier reads the first street line. Two of them are
 * real cases: a post-office box, and a recipient without a phone.
 */
export const sentinelAddresses: readonly SentinelAddress[] = [
  { code: 'general', place: at('422 Refusal Road') },
  { code: 'carrier_not_responding', place: at('504 Silent Carrier Road') },
  { code: 'rates_failed', place: at('500 Failing Rates Road') },
  { code: 'rates_unavailable', place: at('404 No Rates Road') },
  { code: 'invalid_street', place: at('0 Nowhere Street') },
  { code: 'po_box', place: at('PO Box 1187') },
  { code: 'missing_phone', place: at('12 Quiet Street'), phone: null },
  { code: 'account_unauthorized', place: at('401 Unauthorized Account Road') },
  { code: 'user_locked_out', place: at('423 Locked Out Road') },
  // The label is bought, but the answer is lost: the order ships once the server has found out.
  { code: 'answer_lost', place: at(lateAnswerStreet) },
  // The label is bought, but its file never comes: the clerk reads whom to ask.
  { code: 'no_file', place: at(noPaperStreet) },
  // A code that the dashboard does not know: it then shows the carrier's own words.
  { code: 'weight_over_limit', place: at('413 Own Words Road') },
]
