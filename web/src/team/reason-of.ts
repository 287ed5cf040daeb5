import { CallError } from '#lib/calls/call.ts'

/** Why the server said no, where it is more than that something went wrong. */
export function reasonOf(error: unknown): string {
  return error instanceof CallError && error.status >= 400 && error.status < 500 ? error.message : ''
}
