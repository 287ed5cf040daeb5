import type { Problem } from './generated.ts'

interface Failure {
  readonly status: number
  readonly problem: Partial<Problem> & Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
}

/** The server refused a call. */
export class CallFailed extends Error {
  readonly status: number
  readonly code: string
  /** The whole answer: `errors` by field, and `order` where it has one. */
  readonly problem: Failure['problem']
  /** As in the log of the server. */
  readonly requestId: string | undefined

  constructor(call: string, { status, problem, requestId }: Failure) {
    const { code = '', message = 'no reason given', errors } = problem
    const fields = errors === undefined ? '' : ` ${JSON.stringify(errors).slice(0, 300)}`
    super(`${call} answered ${status} ${code}: ${message}${fields} (request ${requestId ?? 'unknown'})`)
    this.name = 'CallFailed'
    this.status = status
    this.code = code
    this.problem = problem
    this.requestId = requestId
  }
}
