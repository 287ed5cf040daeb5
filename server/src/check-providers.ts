import { serviceLabels } from '@cellarhand/contract/outside-services'
import { outsideServicesOf, type OutsideService } from './outside-services.ts'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/database.ts'
import { createHealthRecord, listProviderHealth, type ProviderHealth } from './platform/outside/health.ts'
import { ProviderError } from './platform/outside/provider-error.ts'

interface Check {
  readonly lines: readonly string[]
  readonly isWell: boolean
}

interface Answered {
  readonly line: string
  readonly isWell: boolean
}

/** Calls every provider of the present settings, and returns how the last calls to each went. */
export async function checkProviders(db: Database, config: Config): Promise<Check> {
  const health = createHealthRecord(db, () => undefined)
  const services = outsideServicesOf(config, db, health)
  const answered = await Promise.all(services.map(askNow))
  await health.settled()
  const inUse = new Set(services.map(({ provider }) => provider))
  const known = (await listProviderHealth(db)).filter(({ provider }) => inUse.has(provider))
  return {
    lines: [...answered.map(({ line }) => line), ...known.map(lineOf)],
    isWell:
      answered.every(({ isWell }) => isWell) &&
      known.every(({ failures_in_a_row }) => failures_in_a_row === 0),
  }
}

async function askNow({ use, provider, isSandbox = false, ask }: OutsideService): Promise<Answered> {
  const title = serviceLabels[use]
  if (provider === undefined)
    return {
      line: `${title}: ${isSandbox ? 'a sandbox stands in.' : 'no provider is set up.'}`,
      isWell: true,
    }
  if (ask === undefined)
    return { line: `${title}: ${provider} cannot be asked without sending something.`, isWell: true }
  try {
    await ask()
    return { line: `${title}: ${provider} answers.`, isWell: true }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const why = `${error.reason}. ${error.advice}`
    return { line: `${title}: ${provider} does not answer as it should: ${why}`, isWell: false }
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
