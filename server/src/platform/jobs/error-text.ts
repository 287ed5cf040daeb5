/** What an error says, for the row of the work that it ended: short, because a stranger's server may have written it. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : 'unknown'
}
