import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { fieldsOf, httpsOnly, textOf } from '#platform/outside/answers.ts'
import type { Outside } from '#platform/outside/outside.ts'
import { ProviderError, type Failure, type FailureKind } from '#platform/outside/provider-error.ts'
import { stripeName, type AccountStatus, type Payments, type StripeSettings } from './payments.ts'

// Package stores: beer, wine and liquor.
const merchantCategory = '5921'
const timeoutMs = 10_000
/** Of new accounts; those of before keep theirs. */
const dashboard = 'full'
const fullDashboard = 'https://dashboard.stripe.com/'

export function createStripe({ secretKey, apiBase }: StripeSettings, limitMs = timeoutMs): Stripe {
  const base = apiBase === undefined ? undefined : new URL(apiBase)
  return new Stripe(secretKey, {
    timeout: limitMs,
    // Each POST carries an idempotency key, so a repetition changes nothing twice.
    maxNetworkRetries: 2,
    telemetry: false,
    httpClient: takingObjectsAlone(Stripe.createNodeHttpClient()),
    ...(base === undefined
      ? {}
      : { host: base.hostname, port: base.port, protocol: base.protocol === 'http:' ? 'http' : 'https' }),
  })
}

/**
 * Over an answer that is JSON but no object, the library ends the whole process: it throws where nobody waits for it.
 * Over an error that is neither an object nor a text, it throws an error that is none of its own. Here such an answer
 * is as unreadable as any other that is no JSON.
 */
function takingObjectsAlone(client: ReturnType<typeof Stripe.createNodeHttpClient>): typeof client {
  const ask = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    const response = await ask(...request)
    const read = response.toJSON.bind(response)
    response.toJSON = async () => {
      const answer: unknown = await read()
      if (typeof answer !== 'object' || answer === null) throw new TypeError('The answer is no object')
      const { error } = fieldsOf(answer)
      if (error && typeof error !== 'object' && typeof error !== 'string')
        throw new TypeError('The error is no object')
      return answer
    }
    return response
  }
  return client
}

interface StripeDeps {
  readonly stripe: Stripe
  readonly outside: Outside
}

/** Stripe Connect with Accounts v2: the merchant has an account of its own and hands everything in on Stripe's pages. */
export function createStripePayments({ stripe, outside }: StripeDeps): Payments & { probe(): Promise<void> } {
  const ask = <T>(work: () => Promise<T>): Promise<T> => outside.watch(work, explainStripe)
  return {
    async createAccount({ merchantId, name, email }) {
      const facts: Stripe.V2.Core.AccountCreateParams = {
        contact_email: email,
        display_name: name,
        dashboard,
        identity: { country: 'US', entity_type: 'company' },
        configuration: {
          merchant: { mcc: merchantCategory, capabilities: { card_payments: { requested: true } } },
        },
        defaults: {
          currency: 'usd',
          responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' },
        },
        metadata: { merchant_id: merchantId },
      }
      const create = (idempotencyKey: string) => stripe.v2.core.accounts.create(facts, { idempotencyKey })
      const key = `merchant-${merchantId}-stripe-account`
      const account = await ask(async () => {
        try {
          return await create(key)
        } catch (error) {
          if (!isOfOtherFacts(error)) throw error
          // An account that nobody has opened costs nothing, and the shop would otherwise wait for a month.
          return await create(`${key}-${createHash('sha256').update(JSON.stringify(facts)).digest('hex')}`)
        }
      })
      return needed(textOf(account.id))
    },
    async findAccount(accountId) {
      const account = await ask(async () => {
        try {
          return await stripe.v2.core.accounts.retrieve(accountId, {
            include: ['configuration.merchant', 'requirements'],
          })
        } catch (error) {
          if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
            return undefined
          throw error
        }
      })
      if (account === undefined) return undefined
      // Of an answer that is about no account, the shop would read that it may take no orders.
      if (account.id !== accountId) throw unreadable()
      return { id: accountId, status: statusOf(account), dashboard: account.dashboard ?? dashboard }
    },
    async onboardingLink({ account, returnUrl }) {
      const link = await ask(() =>
        stripe.v2.core.accountLinks.create({
          account: account.id,
          use_case: {
            type: 'account_onboarding',
            account_onboarding: {
              refresh_url: returnUrl,
              return_url: returnUrl,
              collection_options: { fields: 'eventually_due', future_requirements: 'include' },
            },
          } as Stripe.V2.Core.AccountLinkCreateParams.UseCase,
        }),
      )
      return needed(httpsOnly(link.url))
    },
    async probe() {
      await ask(async () => stripe.v2.core.accounts.list({ limit: 1 }))
    },
    async dashboardLink({ account }) {
      if (account.dashboard === 'full') return fullDashboard
      if (account.dashboard === 'none') return undefined
      return needed(httpsOnly((await ask(() => stripe.accounts.createLoginLink(account.id))).url))
    },
  }
}

function unreadable(): ProviderError {
  return new ProviderError({ provider: stripeName, kind: 'malformed' })
}

function needed(text: string | undefined): string {
  if (text === undefined) throw unreadable()
  return text
}

/** The account in the four words of ours; without `include` the fields that it is read from are absent. */
function statusOf({ closed, configuration, requirements }: Stripe.V2.Core.Account): AccountStatus {
  // Its onboarding can lead nowhere.
  if (closed === true) return 'rejected'
  const capabilities = configuration?.merchant?.capabilities
  const cards = capabilities?.card_payments?.status
  // Some answers lack this one; then the cards alone decide.
  const payouts = capabilities?.stripe_balance?.payouts?.status ?? cards
  const both = [cards, payouts]
  if (both.some((status) => status === 'rejected' || status === 'unsupported')) return 'rejected'
  if (both.every((status) => status === 'active')) return 'active'
  const entries: unknown = requirements?.entries
  const isOurTurn = (Array.isArray(entries) ? entries.map(fieldsOf) : []).some(
    ({ awaiting_action_from: whose, minimum_deadline: deadline }) =>
      whose === 'user' && fieldsOf(deadline)['status'] !== 'eventually_due',
  )
  if (isOurTurn) return 'restricted'
  return both.some((status) => status === 'pending') ? 'pending' : 'restricted'
}

/**
 * A try whose answer was lost had another name or address, so Stripe refuses its key until it forgets it. While such a try
 * is still under way it answers 409.
 */
function isOfOtherFacts(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400
}

/** Translates Stripe's error classes; undefined for an error that is not Stripe's. */
function explainStripe(error: unknown): Failure | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined
  return {
    provider: stripeName,
    kind: kindOf(error),
    status: error.statusCode,
    requestId: error.requestId,
    code: error.code,
    cause: error,
  }
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): FailureKind {
  const { StripeConnectionError, StripeRateLimitError, StripeAuthenticationError, StripePermissionError } =
    Stripe.errors
  if (error instanceof StripeConnectionError) return connectionKind(error.detail)
  if (error instanceof StripeRateLimitError) return 'too_many'
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError)
    return 'unauthorized'
  const status = error.statusCode ?? 0
  if (status >= 500) return 'unavailable'
  return status >= 400 ? 'rejected' : 'malformed'
}

function connectionKind(detail: unknown): FailureKind {
  const code = detail instanceof Error && 'code' in detail ? detail.code : undefined
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return 'refused_connection'
  return code === 'ETIMEDOUT' ? 'no_answer' : 'broken_off'
}
