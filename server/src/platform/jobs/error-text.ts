/** The message of an error, cut for the row that stores it: a stranger's server may have written it. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : 'unknown'
}
