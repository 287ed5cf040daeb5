const minuteMs = 60_000
/** A difference that needs no attention. */
const usualSkewMs = 5 * minuteMs
/** A clock or its zone is wrong by hours; a date beyond a day is a wrong date. */
export const mostSkewMs = 24 * 60 * minuteMs

/**
 * When the customer ordered. The sender's clock can be ahead of ours, or ours can be behind: the order is taken as
 * submitted now, and its history keeps the date that was sent.
 */
export function submittedAt(sent: string | null | undefined, nowMs: number) {
  const sentMs = sent ? Date.parse(sent) : nowMs
  const isAhead = sentMs > nowMs + usualSkewMs
  return {
    date: new Date(isAhead ? nowMs : sentMs).toISOString(),
    /** For the history. */
    note: isAhead ? { date_submitted_as_sent: sent } : undefined,
  }
}
