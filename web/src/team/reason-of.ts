import { CallError } from '#lib/calls/call.ts'

/** The server's reason, unless it only says that something went wrong. */
export function reasonOf(error: unknown): string {
  return error instanceof CallError && error.status >= 400 && error.status < 500 ? error.message : ''
}
