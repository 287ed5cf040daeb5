import type { ServiceUse } from '@cellarhand/contract/merchants'
import type { Database } from '#platform/db/database.ts'
import { listUndelivered } from '#platform/mail/undelivered.ts'
import { listProviderHealth } from '#platform/outside/health.ts'

export interface ServiceInUse {
  readonly use: ServiceUse
  /** The name in the health record; undefined while none is set up. */
  readonly provider: string | undefined
  readonly isSandbox?: boolean
}

/** For owners: the last calls to each service, over all servers, and the mails that came back. */
export async function tellOutsideServices(
  db: Database,
  services: readonly ServiceInUse[],
  merchantId: string,
) {
  const [health, undelivered] = await Promise.all([listProviderHealth(db), listUndelivered(db, merchantId)])
  return {
    services: services.map(({ use, provider, isSandbox = false }) => {
      const row = health.find((each) => each.provider === provider)
      return {
        use,
        provider: provider ?? null,
        is_sandbox: isSandbox,
        last_success_at: row?.last_success_at?.toISOString() ?? null,
        last_failure_at: row?.last_failure_at?.toISOString() ?? null,
        last_failure_reason: row?.last_failure_reason ?? null,
        failures_in_a_row: row?.failures_in_a_row ?? 0,
      }
    }),
    undelivered_mails: undelivered.map(({ at, ...mail }) => ({ ...mail, at: at.toISOString() })),
  }
}
