import { refusals, type RefusalCode } from '@cellarhand/contract/refusals'
import { findClosedMerchant, type ClosedMerchant } from '../db/closed-merchant.ts'

export interface RefusalDetails {
  /** Replaces the code's usual sentence. */
  readonly message?: string
  /** Field to message; an array if the contract says so. */
  readonly errors?: Readonly<Record<string, string>> | readonly { readonly message: string }[]
  /** More fields of the body, such as the order as it is now. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  /** The address of the cell that the merchant has moved to; the answer leads to the same path there. */
  readonly movedTo?: string
  /** What the person at the dashboard does about that, in place of signing in there. */
  readonly advice?: string
}

/** Thrown anywhere below a route; the error handler turns it into one answer. */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly details: RefusalDetails

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.message ?? refusals[code].message)
    this.name = 'Refused'
    this.code = code
    this.status = refusals[code].status
    this.details = details
  }

  toBody(): Record<string, unknown> {
    const { errors, body } = this.details
    return { message: this.message, code: this.code, ...(errors === undefined ? {} : { errors }), ...body }
  }
}

export function refuse(code: RefusalCode, details?: RefusalDetails): never {
  throw new Refused(code, details)
}

/** The merchant is on its way to another cell, or there already. */
export function refusalOfClosed({ movedTo, retryAfterSeconds = 1 }: ClosedMerchant): Refused {
  return movedTo === undefined
    ? new Refused('merchant_moving', { retryAfterSeconds })
    : new Refused('merchant_moved', { movedTo })
}

/** For a change by a mailed link: its person cannot sign in yet where the shop has moved to. */
export async function advisingWhenMoved<T>(
  advice: (movedTo: string) => string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const movedTo = findClosedMerchant(error)?.movedTo
    throw movedTo === undefined ? error : new Refused('merchant_moved', { movedTo, advice: advice(movedTo) })
  }
}

/** Refuses when any field has a problem. */
export function refuseInvalid(problems: Readonly<Record<string, string | undefined>>): void {
  const errors: Record<string, string> = {}
  for (const [field, problem] of Object.entries(problems)) if (problem !== undefined) errors[field] = problem
  if (Object.keys(errors).length > 0) refuse('validation_failed', { errors })
}
