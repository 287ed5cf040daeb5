/** What a clerk can report of a line. */
export type ReportKind = 'outOfStock' | 'wrongPrice'

interface Report {
  readonly checked: boolean
  readonly price?: number
  readonly reason?: string
  /** In a request: so many more pieces are missing. Without it, the whole line is. */
  readonly quantity?: number
  /** As stored: so many of the line's pieces are missing, by all reports together. Absent when the whole line is. */
  readonly missing?: number
  /** As stored beside `missing`: so many pieces were ordered. */
  readonly of?: number
}

/** The contents of `rejection_message`: reason to a line's key (`rejectionKey`) to the report on it (GAP-62). */
export type RejectionMessage = Record<string, Record<string, Report>>

export function readRejection(text: string | null): RejectionMessage {
  return text === null ? {} : (JSON.parse(text) as RejectionMessage)
}
