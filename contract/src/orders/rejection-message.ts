/** What a clerk can report of a line. */
export type ReportKind = 'outOfStock' | 'wrongPrice'

interface Report {
  readonly checked: boolean
  readonly price?: number
  readonly reason?: string
}

/** The contents of `rejection_message`: reason to a line's key (`rejectionKey`) to the report on it (GAP-62). */
export type RejectionMessage = Record<string, Record<string, Report>>

export function readRejection(text: string | null): RejectionMessage {
  return text === null ? {} : (JSON.parse(text) as RejectionMessage)
}
