/**
 * The time, handed in from `app.ts`, so that a test turns it forward where it would have to wait. Rows take their times
 * from the database, which all processes share: `now()` in the statement.
 */
export interface Clock {
  /** The time of day, in milliseconds since 1970. It jumps when somebody corrects the machine's time. */
  nowMs(): number
  /** For durations: it only ever goes forwards. */
  readingMs(): number
  /** Fails with the signal's reason when the signal is aborted before the time is over. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls once. Like `every`, it keeps no process alive. */
  after(ms: number, call: () => void): Timer
  every(ms: number, call: () => void): Timer
  /** Aborted after the time. */
  limit(ms: number): AbortSignal
}

export interface Timer {
  stop(): void
}
