export const stripeName = 'Stripe'

export interface StripeSettings {
  readonly secretKey: string
  /** Replaces Stripe's own host, for example in a test. */
  readonly apiBase: string | undefined
}

/** The provider's status of a merchant's account; only `active` takes orders. */
export type AccountStatus = 'active' | 'pending' | 'restricted' | 'rejected'

interface PaymentAccount {
  readonly id: string
  readonly status: AccountStatus
  /** The kind of dashboard that the provider gives the merchant. */
  readonly dashboard: 'full' | 'express' | 'none'
}

interface NewAccount {
  readonly merchantId: string
  readonly name: string
  readonly email: string
}

export interface LinkWish {
  readonly account: PaymentAccount
  /** The provider's page returns to this address. */
  readonly returnUrl: string
}

/** Merchants sign up with the provider on its own pages, and get paid there. Every call may throw `ProviderError`. */
export interface Payments {
  /** A second call for the same merchant returns the same account. */
  createAccount(merchant: NewAccount): Promise<string>
  /** Undefined when the provider knows no such account. */
  findAccount(accountId: string): Promise<PaymentAccount | undefined>
  /** A page that asks for the missing facts; the link works once, for some minutes. */
  onboardingLink(wish: LinkWish): Promise<string>
  /** Undefined when the merchant has no dashboard there. */
  dashboardLink(wish: LinkWish): Promise<string | undefined>
}
