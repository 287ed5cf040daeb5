const dayMs = 86_400_000

/**
 * The moment at which a zone's clocks show a wall time. A time that a clock change skips is read as if the clocks had
 * not changed. A time that it repeats is read as the first of the two.
 *
 * @param wallMs The wall time, as the moment at which the clocks of UTC show it.
 * @param leadAt By how many milliseconds the zone is ahead of UTC at a moment.
 */
export function momentOfWallTime(wallMs: number, leadAt: (momentMs: number) => number): number {
  const before = wallMs - leadAt(wallMs - dayMs)
  const after = wallMs - leadAt(wallMs + dayMs)
  const isShown = (momentMs: number) => momentMs + leadAt(momentMs) === wallMs
  if (isShown(before)) return before
  return isShown(after) ? after : before
}
