import type { ServerResponse } from 'node:http'

/** The server closes the stream of a reader with so much unread; it reconnects and resumes. */
const maxBufferedBytes = 1024 * 1024

/** What a look at a state has found. */
export interface Told {
  readonly look: number
  readonly text: string
}

/** An open dashboard. */
export interface Stream {
  readonly merchantId: string
  readonly sessionId: string
  readonly response: ServerResponse
  /** Events up to here have been written. */
  position: number
  /** The last written version of each state. */
  readonly told: Map<string, Told>
}

export function write({ response }: Stream, text: string): void {
  if (response.destroyed || response.writableEnded) return
  if (response.writableLength > maxBufferedBytes) return void response.destroy()
  response.write(text)
}
