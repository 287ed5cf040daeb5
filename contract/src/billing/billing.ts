import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Empty, maybe, nullable, object, ofMerchant, text } from '../wire/fields.ts'

const address = {
  region: nullable(text(50)),
  postal_code: nullable(text(10)),
  street_address: nullable(text(200)),
  locality: nullable(text(100)),
}
const Billing = object({
  tos_accepted: Type.Boolean(),
  individual: object({
    first_name: nullable(text(100)),
    last_name: nullable(text(100)),
    phone: nullable(text(32)),
    date_of_birth: nullable(text(10)),
    email: nullable(text(254)),
    address: object(address),
  }),
  funding: object({
    descriptor: nullable(text(22)),
    routing_number: nullable(text(9)),
    account_number: nullable(text(34)),
    account_number_last_4: nullable(text(4)),
  }),
  business: object({
    legal_name: nullable(text(200)),
    dba_name: nullable(text(200)),
    tax_id: nullable(text(20)),
    address: object(address),
  }),
})
export type Billing = Type.Static<typeof Billing>

const givenAddress = Type.Optional(
  object({
    region: maybe(text(50)),
    postal_code: maybe(text(20)),
    street_address: maybe(text(200)),
    locality: maybe(text(100)),
  }),
)
/** The request. A masked account number may be left out, and a field of the wrong length gets its own sentence. */
const GivenBilling = object({
  tos_accepted: Type.Optional(Type.Boolean()),
  individual: Type.Optional(
    object({
      first_name: maybe(text(100)),
      last_name: maybe(text(100)),
      phone: maybe(text(32)),
      date_of_birth: maybe(text(20)),
      email: maybe(text(254)),
      address: givenAddress,
    }),
  ),
  funding: Type.Optional(
    object({
      descriptor: maybe(text(100)),
      routing_number: maybe(text(34)),
      account_number: maybe(text(34)),
      account_number_last_4: maybe(text(4)),
    }),
  ),
  business: Type.Optional(
    object({
      legal_name: maybe(text(200)),
      dba_name: maybe(text(200)),
      tax_id: maybe(text(20)),
      address: givenAddress,
    }),
  ),
})

export const getBilling = endpoint({
  call: 'GET /c/v2/merchants/{tmk}/payments',
  summary: 'Billing record, account number masked',
  access: 'billing.read',
  params: ofMerchant,
  reply: Billing,
})
export const updateBilling = endpoint({
  call: 'POST /c/v2/merchants/{tmk}/payments',
  summary: 'Accept the terms of service, or save the billing record',
  access: 'billing.edit',
  params: ofMerchant,
  body: GivenBilling,
  reply: Billing,
  refusals: ['tos_required'],
})
export const getOnboarding = endpoint({
  call: 'GET /v1/merchant/{tmk}/stripe',
  summary: 'Link to payment onboarding or to the provider dashboard',
  access: 'billing.read',
  params: ofMerchant,
  reply: object({
    onboarding_data: nullable(object({ url: Type.String() })),
    login_link: nullable(Type.String()),
  }),
  refusals: ['too_many_requests', 'provider_error'],
})
export const getSubmerchant = endpoint({
  call: 'GET /m/v2/payments/submerchant/{tmk}',
  summary: 'Legacy bank account of the merchant',
  access: 'billing.read',
  params: ofMerchant,
  reply: object({
    id: Type.String(),
    status: Type.String(),
    tos_accepted: Type.Boolean(),
    funding: object({ descriptor: nullable(Type.String()), account_number_last_4: nullable(Type.String()) }),
  }),
})
/** Stripe says only that an account changed; the server then reads the account from Stripe. */
export const receiveStripeEvent = endpoint({
  call: 'POST /providers/v1/payments/events',
  summary: "Stripe's thin events about connected accounts, signed (Stripe-Signature)",
  access: 'provider',
  body: Type.Unknown(),
  reply: Empty,
  refusals: ['bad_signature'],
})

const onboardingToken = object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{20,64}$' }) })
export const readPaymentsPage = endpoint({
  call: 'GET /demo/payments/{token}',
  summary: "Demo only: stands in for the payment provider's hosted onboarding and dashboard",
  access: 'public',
  params: onboardingToken,
  reply: Type.String(),
  media: 'text/html',
})
export const finishPaymentsPage = endpoint({
  call: 'GET /demo/payments/{token}/{outcome}',
  summary: 'Demo only: what the provider makes of the account; leads back to the dashboard',
  access: 'public',
  params: object({
    ...onboardingToken.properties,
    outcome: Type.Enum(['active', 'pending', 'restricted', 'rejected']),
  }),
  reply: Type.String(),
  media: 'text/html',
  status: 303,
})
