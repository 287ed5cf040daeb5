import type { Clock } from '../clock/clock.ts'
import type { Database } from '../db/database.ts'
import { asServer } from '../turns/asker.ts'
import type { ProviderError } from './provider-error.ts'

const successEveryMs = 60_000

/** The results of the last calls to one provider, over all processes. */
export interface ProviderHealth {
  readonly provider: string
  readonly last_success_at: Date | null
  readonly last_failure_at: Date | null
  /** A `FailureKind`. */
  readonly last_failure_kind: string | null
  /** In words, without personal data. */
  readonly last_failure_reason: string | null
  readonly last_failure_request_id: string | null
  readonly failures_in_a_row: number
}

export interface HealthRecord {
  readonly clock: Clock
  succeeded(provider: string): void
  failed(error: ProviderError): void
  /** Resolves when all notes so far are stored. */
  settled(): Promise<void>
}

/** Records successes and failures without delaying the call; a success at most once a minute. */
export function createHealthRecord(db: Database, onError: (error: unknown) => void): HealthRecord {
  const { clock } = db
  const notedAt = new Map<string, number>()
  // One after the other, so that the last note wins.
  let written: Promise<void> = Promise.resolve()

  function write(text: string, values: unknown[]): void {
    written = written.then(() => asServer(() => db.systemQuery(text, values))).then(() => undefined, onError)
  }

  return {
    clock,
    succeeded(provider) {
      if (clock.readingMs() - (notedAt.get(provider) ?? -Infinity) < successEveryMs) return
      notedAt.set(provider, clock.readingMs())
      write(
        `insert into provider_health (provider, last_success_at) values ($1, now())
         on conflict (provider) do update set last_success_at = now(), failures_in_a_row = 0`,
        [provider],
      )
    },
    failed(error) {
      // After a failure, the next success is news again.
      notedAt.delete(error.provider)
      write(
        `insert into provider_health
           (provider, last_failure_at, last_failure_kind, last_failure_reason, last_failure_request_id, failures_in_a_row)
         values ($1, now(), $2, $3, $4, 1)
         on conflict (provider) do update set last_failure_at = now(), last_failure_kind = $2, last_failure_reason = $3,
           last_failure_request_id = $4, failures_in_a_row = provider_health.failures_in_a_row + 1`,
        [error.provider, error.kind, error.reason.slice(0, 200), error.requestId?.slice(0, 200) ?? null],
      )
    },
    settled: () => written,
  }
}

export async function listProviderHealth(db: Database): Promise<ProviderHealth[]> {
  return db.systemQuery<ProviderHealth>(
    `select provider, last_success_at, last_failure_at, last_failure_kind, last_failure_reason,
       last_failure_request_id, failures_in_a_row
     from provider_health order by provider`,
  )
}
