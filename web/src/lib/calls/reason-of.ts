import { CallError, UnreachableError } from './call.ts'

/**
 * What to add to the words for a failed call. Undefined when the error only says that something went wrong, or when its
 * sentences belong to fields.
 */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnreachableError) return error.message
  if (!(error instanceof CallError) || error.code === 'internal') return undefined
  if (Object.keys(error.fieldErrors).length > 0) return undefined
  // A failing proxy answers without a code, and knows no reason.
  return error.status < 500 || error.code !== '' ? error.message : undefined
}
