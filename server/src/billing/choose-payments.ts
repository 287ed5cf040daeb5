import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { createOutside } from '#platform/outside/outside.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import type { StripeEvents } from './commands/take-stripe-event.ts'
import type { Payments } from './payments.ts'
import { createSandboxPayments } from './sandbox-payments.ts'
import { createStripe, createStripePayments, stripeName, type StripeSettings } from './stripe-payments.ts'

interface Choice {
  readonly payments: (request: FastifyRequest) => Payments
  readonly stripeEvents: StripeEvents | undefined
}

interface ChoiceDeps {
  readonly db: Database
  readonly health: HealthRecord
  readonly isDemo: boolean
  readonly stripe: (StripeSettings & { readonly webhookSecret: string | undefined }) | undefined
  readonly publicUrl: (request: FastifyRequest) => string
}

/** Stripe if it has a key, the sandbox in the demo, otherwise no provider. */
export function choosePayments({ db, health, isDemo, stripe: settings, publicUrl }: ChoiceDeps): Choice {
  if (settings !== undefined) {
    const stripe = createStripe(settings)
    const outside = createOutside({ provider: stripeName, health })
    const payments = createStripePayments({ stripe, outside })
    const secret = settings.webhookSecret
    return {
      payments: () => payments,
      stripeEvents: secret === undefined ? undefined : { stripe, payments, secret },
    }
  }
  const pageUrl = (request: FastifyRequest) => (token: string) =>
    `${publicUrl(request)}/demo/payments/${token}`
  return {
    payments: (request) => (isDemo ? createSandboxPayments(db, pageUrl(request)) : nobody),
    stripeEvents: undefined,
  }
}

/** The smallest call that shows that Stripe answers, knows the key and has Accounts v2. */
export async function probeStripe(settings: StripeSettings, health: HealthRecord): Promise<void> {
  const outside = createOutside({ provider: stripeName, health })
  await createStripePayments({ stripe: createStripe(settings), outside }).probe()
}

const unset = async () =>
  refuse('provider_error', {
    message: 'No payment provider is set up on this server (STRIPE_SECRET_KEY).',
  })
const nobody: Payments = {
  createAccount: unset,
  findAccount: unset,
  onboardingLink: unset,
  dashboardLink: unset,
}
