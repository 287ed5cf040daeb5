/** What the payment provider makes of a merchant's account; only `active` takes orders. */
export type AccountStatus = 'active' | 'pending' | 'restricted' | 'rejected'

interface PaymentAccount {
  readonly id: string
  readonly status: AccountStatus
  /** Which dashboard the provider gives the merchant. */
  readonly dashboard: 'full' | 'express' | 'none'
}

interface NewAccount {
  readonly merchantId: string
  readonly name: string
  readonly email: string
}

export interface LinkWish {
  readonly account: PaymentAccount
  /** Where the provider's page leads back to. */
  readonly returnUrl: string
}

/** Where merchants get paid: they sign up with the provider on its own pages. All of it may throw `ProviderError`. */
export interface Payments {
  /** Asking twice for the same merchant makes one account. */
  createAccount(merchant: NewAccount): Promise<string>
  /** Undefined when the provider knows no such account. */
  findAccount(accountId: string): Promise<PaymentAccount | undefined>
  /** A page that takes what is missing; the link works once and for minutes. */
  onboardingLink(wish: LinkWish): Promise<string>
  /** Undefined when the merchant has no dashboard there. */
  dashboardLink(wish: LinkWish): Promise<string | undefined>
}
