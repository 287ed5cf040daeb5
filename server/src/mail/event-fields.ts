/** No mail of ours left before. */
const earliest = Date.parse('2000-01-01T00:00:00Z')

/**
 * A bounce quotes what a stranger's mail server said, in any bytes. A character that cannot be stored is left out,
 * so that the bounce is told all the same, and those after it in the list too.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '').trim() : ''
}

/** A moment that lies before every mail, after now, or nowhere is taken for now. */
export function timeOf(value: unknown, now: Date): Date {
  const at = new Date(typeof value === 'number' ? value : textOf(value))
  return at.getTime() > earliest && at < now ? at : now
}
