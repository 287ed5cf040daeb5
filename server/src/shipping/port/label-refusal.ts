import { labelErrorText, type LabelErrorCode } from '@cellarhand/contract/label-errors'
import { refusals } from '@cellarhand/contract/refusals'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { Refused } from '#platform/http/refuse.ts'
import { LabelRefused, type CarrierWords } from './shipping-port.ts'

/** The body that the label purchase answers instead of labels (GAP-117). */
export function labelRefusal(code: LabelErrorCode | undefined, words: readonly CarrierWords[] = []): Refused {
  const known = code ?? 'label_refused'
  return new Refused(known, {
    message: labelErrorText({ code, errors: words }),
    errors: words,
    body: { status: refusals[known].status },
  })
}

/** What the clerk reads when it is not even known whether the labels were bought. */
export function doubtfulRefusal(): Refused {
  return new Refused('carrier_not_responding', {
    errors: [],
    body: { status: refusals.carrier_not_responding.status },
  })
}

/** Undefined for what is no failure of the purchase but a mistake of ours. */
export function toLabelRefusal(error: unknown): Refused | undefined {
  if (error instanceof LabelRefused) return labelRefusal(error.code, error.words)
  if (!(error instanceof ProviderError)) return undefined
  return labelRefusal(error.kind === 'unauthorized' ? 'account_unauthorized' : 'carrier_not_responding')
}
