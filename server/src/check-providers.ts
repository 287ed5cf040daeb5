import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/database.ts'
import { createHealthRecord, listProviderHealth, type ProviderHealth } from './platform/outside/health.ts'
import { ProviderError } from './platform/outside/provider-error.ts'
import { chooseShippingProvider } from './shipping/public.ts'

interface Check {
  readonly lines: readonly string[]
  readonly isWell: boolean
}

/** Asks the shipping provider now, and tells of every provider how its last calls went. */
export async function checkProviders(db: Database, config: Config): Promise<Check> {
  const health = createHealthRecord(db, () => undefined)
  const shipping = chooseShippingProvider(config, db, health)
  let problem: string | undefined
  try {
    await shipping?.probe()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    problem = `${error.reason}. ${error.advice}`
  }
  await health.settled()
  const known = await listProviderHealth(db)
  const asked =
    shipping === undefined
      ? 'Shipping labels: no provider is set up (EASYPOST_API_KEY).'
      : `Shipping labels: ${shipping.name} ${problem === undefined ? 'answers.' : `does not answer as it should: ${problem}`}`
  return {
    lines: [asked, ...known.map(lineOf)],
    isWell: problem === undefined && known.every(({ failures_in_a_row }) => failures_in_a_row === 0),
  }
}

function lineOf(row: ProviderHealth): string {
  const success =
    row.last_success_at === null ? 'never answered' : `answered ${row.last_success_at.toISOString()}`
  if (row.last_failure_at === null) return `${row.provider}: last ${success}.`
  const request = row.last_failure_request_id === null ? '' : `, request ${row.last_failure_request_id}`
  const why = `failed ${row.last_failure_at.toISOString()} (${row.last_failure_reason ?? ''}${request})`
  return `${row.provider}: last ${success}; ${why}; failures since then: ${row.failures_in_a_row}.`
}
