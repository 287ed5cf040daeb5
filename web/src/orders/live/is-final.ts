import { CallError } from '#lib/calls/call.ts'

/** The same question would get the same answer. */
export function isFinal(error: unknown): boolean {
  return error instanceof CallError && error.status < 500 && error.status !== 429
}
