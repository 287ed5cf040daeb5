import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  filledText,
  MerchantKey,
  nullable,
  object,
  ofMerchant,
  text,
  TimeOfDay,
  Timestamp,
} from '../wire/fields.ts'

const Address = object({
  street_1: Type.String(),
  street_2: nullable(Type.String()),
  street_3: nullable(Type.String()),
  city: Type.String(),
  state: Type.String(),
  zipcode: Type.String(),
})
export const Merchant = object({
  id: MerchantKey,
  name: Type.String(),
  email: Type.String(),
  primary_phone: Type.String(),
  address: Address,
  aux_data: object({
    primary_contact_name: nullable(Type.String()),
    secondary_contact_name: nullable(Type.String()),
    secondary_email: nullable(Type.String()),
    secondary_phone_number: nullable(Type.String()),
  }),
  timezone: Type.String(),
  carrier_integration: nullable(object({ carrier: Type.String(), status: Type.String() })),
  paymentSetUp: Type.Boolean(),
})
export type Merchant = Type.Static<typeof Merchant>

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof weekdays)[number]
const Weekday = Type.Enum([...weekdays])
const Hours = object({
  regular_hours: Type.Array(object({ weekday: Weekday, time_open: TimeOfDay, time_close: TimeOfDay }), {
    maxItems: 7,
  }),
})
export type Hours = Type.Static<typeof Hours>

export const getMerchant = endpoint({
  call: 'GET /c/v2/merchants/{tmk}',
  summary: "The merchant's details",
  access: 'merchant.read',
  params: ofMerchant,
  reply: Merchant,
})
export const getMerchantLegacy = endpoint({
  call: 'GET /m/v2/merchants/{tmk}',
  summary: "The merchant's details, at their older address",
  access: 'merchant.read',
  params: ofMerchant,
  reply: Merchant,
})
export const updateMerchant = endpoint({
  call: 'POST /c/v2/merchants/{tmk}',
  summary: 'Save the store details',
  access: 'company.edit',
  params: ofMerchant,
  body: object({
    name: filledText(200),
    email: filledText(254),
    primary_phone: filledText(32),
    address: object({
      street_1: filledText(200),
      street_2: filledText(200),
      street_3: Type.Optional(nullable(text(200))),
      city: filledText(100),
      state: filledText(50),
      zipcode: filledText(10),
    }),
  }),
  reply: Merchant,
})
export const updateMerchantContacts = endpoint({
  call: 'POST /c/v2/merchants/{tmk}/data',
  summary: "Save the store's contacts",
  access: 'company.edit',
  params: ofMerchant,
  body: object({
    primary_contact_name: filledText(200),
    secondary_contact_name: Type.Optional(nullable(text(200))),
    secondary_email: Type.Optional(nullable(text(254))),
    secondary_phone_number: Type.Optional(nullable(text(32))),
  }),
  reply: Merchant,
})
export const getHours = endpoint({
  call: 'GET /c/v2/merchants/{tmk}/hours',
  summary: 'Delivery hours',
  access: 'merchant.read',
  params: ofMerchant,
  reply: Hours,
})
export const updateHours = endpoint({
  call: 'PUT /c/v2/merchants/{tmk}/hours',
  summary: 'Save the delivery hours',
  access: 'company.edit',
  params: ofMerchant,
  body: Hours,
  reply: Hours,
})

/** The uses of outside services, in the order in which the screens list them. */
export const serviceUses = [
  'labels',
  'couriers',
  'texts',
  'maps',
  'payments',
  'mail',
  'news',
  'files',
  'events',
  'errors',
] as const
export type ServiceUse = (typeof serviceUses)[number]

export const listOutsideServices = endpoint({
  call: 'GET /c/v2/merchants/{tmk}/outside_services',
  summary: 'Which outside services are used, which of them answer, when each last failed, and why',
  access: 'billing.read',
  params: ofMerchant,
  reply: object({
    services: Type.Array(
      object({
        use: Type.Enum([...serviceUses]),
        provider: nullable(Type.String()),
        /** No provider is set up, and in the demo our sandbox takes its place. */
        is_sandbox: Type.Boolean(),
        last_success_at: nullable(Timestamp),
        last_failure_at: nullable(Timestamp),
        last_failure_reason: nullable(Type.String()),
        failures_in_a_row: Count,
      }),
    ),
    /** Of the last seven days. */
    undelivered_mails: Type.Array(
      object({ recipient: Type.String(), subject: Type.String(), reason: Type.String(), at: Timestamp }),
    ),
  }),
})
export const getPaymentAccount = endpoint({
  call: 'GET /c/v2/merchants/{tmk}/payments/stripe',
  summary: "The merchant's account with the payment provider",
  access: 'merchant.read',
  params: ofMerchant,
  reply: object({ merchant_account_id: Type.String() }),
  refusals: ['not_onboarded'],
})
