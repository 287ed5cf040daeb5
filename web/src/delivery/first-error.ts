import { CallError, UnreachableError } from '#lib/calls/call.ts'

/** The courier service's own words, if it said any: they stand in the dialog. */
export function listedError(error: Error | null): string | undefined {
  return error instanceof CallError && Array.isArray(error.body['errors']) ? firstError(error) : undefined
}

/** The first of the errors that a courier or a text message failed with (DELIV-015), or what else there is to say. */
export function firstError(error: Error): string {
  if (error instanceof UnreachableError) return error.message
  if (!(error instanceof CallError)) return ''
  const errors = error.body['errors']
  const [first] = Array.isArray(errors) ? (errors as { message?: unknown }[]) : []
  if (typeof first?.message === 'string') return first.message
  // The words of the refusal are already what the dialog says of every failure.
  return error.code === 'sms_failed' ? '' : error.message
}
