import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { createOutside } from '#platform/outside/outside.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import type { StripeEvents } from './commands/take-stripe-event.ts'
import { stripeName, type Payments, type StripeSettings } from './payments.ts'
import { createSandboxPayments } from './sandbox-payments.ts'

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
    let opened: ReturnType<typeof openStripe> | undefined
    const open = () => (opened ??= openStripe(settings, health))
    const payments: Payments = {
      createAccount: async (merchant) => (await open()).payments.createAccount(merchant),
      findAccount: async (accountId) => (await open()).payments.findAccount(accountId),
      onboardingLink: async (wish) => (await open()).payments.onboardingLink(wish),
      dashboardLink: async (wish) => (await open()).payments.dashboardLink(wish),
    }
    const secret = settings.webhookSecret
    const stripe = async () => (await open()).stripe
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

/** Loaded with the first question: the library takes 35 MB, and most hours ask nothing. */
async function openStripe(settings: StripeSettings, health: HealthRecord) {
  const { createStripe, createStripePayments } = await import('./stripe-payments.ts')
  const stripe = createStripe(settings)
  const outside = createOutside({ provider: stripeName, health })
  return { stripe, payments: createStripePayments({ stripe, outside }) }
}

/** The smallest call that shows that Stripe answers, knows the key and has Accounts v2. */
export async function probeStripe(settings: StripeSettings, health: HealthRecord): Promise<void> {
  await (await openStripe(settings, health)).payments.probe()
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
