import type { Access } from '@cellarhand/contract/endpoint'
import type { Permission } from '@cellarhand/contract/permissions'
import type { ClosedMerchant } from '../db/closed-merchant.ts'

/** A signed-in person. */
export interface Person {
  readonly userId: string
  readonly sessionId: string
  readonly name: string
  readonly roles: readonly string[]
  readonly merchantId: string | null
  /** The merchant requires a second step that this person has not set up; until then the person acts for nobody. */
  readonly lacksSecondStep: boolean
  /** Undefined while the merchant works here, as nearly always. */
  readonly closed?: ClosedMerchant | undefined
}

/** A signed-in person who acts for a merchant. */
export interface Staff extends Person {
  readonly merchantId: string
}

export type CallerOf<A extends Access> = A extends Permission
  ? Staff
  : A extends 'session' | 'self' | `self or ${Permission}`
    ? Person
    : undefined
