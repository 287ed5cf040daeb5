import { CallError, UnreachableError } from '#lib/calls/call.ts'

/** The courier service's own words, if any, for the dialog. */
export function listedError(error: Error | null): string | undefined {
  return error instanceof CallError && Array.isArray(error.body['errors']) ? firstError(error) : undefined
}

/** The first error of a courier or a text message (DELIV-015), otherwise the refusal's own words. */
export function firstError(error: Error): string {
  if (error instanceof UnreachableError) return error.message
  if (!(error instanceof CallError)) return ''
  const errors = error.body['errors']
  const [first] = Array.isArray(errors) ? (errors as { message?: unknown }[]) : []
  if (typeof first?.message === 'string') return first.message
  // The dialog already shows the refusal's words for every failure.
  return error.code === 'sms_failed' ? '' : error.message
}
