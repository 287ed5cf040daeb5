import type { FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'
import { merchantSecretsPurpose } from '#platform/outside/merchant-secrets.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import { createSealer } from '#platform/sealed-text.ts'
import { choosePayments } from './choose-payments.ts'
import { serveBilling, serveSandboxPayments } from './routes.ts'
import { paymentSettings } from './settings.ts'

export { probeStripe } from './choose-payments.ts'
export { billingUpkeep } from './upkeep.ts'

interface BillingStart {
  readonly http: Http
  readonly db: Database
  readonly config: Config
  readonly health: HealthRecord
  readonly publicUrl: (request: FastifyRequest) => string
}

/** The billing calls with the provider of the settings; in the demo, the sandbox's own pages too. */
export function startBilling({ http, db, config, health, publicUrl }: BillingStart): void {
  const { isDemo, sealingKeys } = config
  const { stripe } = paymentSettings.read(config.env)
  serveBilling(http, {
    db,
    sealer: createSealer(sealingKeys, merchantSecretsPurpose),
    publicUrl,
    ...choosePayments({ db, health, isDemo, stripe, publicUrl }),
  })
  if (isDemo) serveSandboxPayments(http, { db })
}
