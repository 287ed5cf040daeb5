import { labelErrorText, type LabelErrorCode } from '@cellarhand/contract/label-errors'
import { refusals } from '@cellarhand/contract/refusals'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { Refused } from '#platform/http/refuse.ts'
import { LabelRefused, ServiceForbidden, type CarrierWords } from './shipping-port.ts'

/** The body of a refused label purchase (GAP-117). */
export function labelRefusal(code: LabelErrorCode | undefined, words: readonly CarrierWords[] = []): Refused {
  const known = code ?? 'label_refused'
  return new Refused(known, {
    message: labelErrorText({ code, errors: words }),
    errors: words,
    body: { status: refusals[known].status },
  })
}

/** The clerk's text when it is unknown whether the labels were bought. */
export function doubtfulRefusal(): Refused {
  return new Refused('carrier_not_responding', {
    errors: [],
    body: { status: refusals.carrier_not_responding.status },
  })
}

/** Undefined for an error of ours that is no failure of the purchase. */
export function toLabelRefusal(error: unknown): Refused | undefined {
  if (error instanceof ServiceForbidden) return new Refused('service_forbidden', { message: error.reason })
  if (error instanceof LabelRefused) return labelRefusal(error.code, error.words)
  if (!(error instanceof ProviderError)) return undefined
  return labelRefusal(error.kind === 'unauthorized' ? 'account_unauthorized' : 'carrier_not_responding')
}
